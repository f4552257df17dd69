import { sdkLines } from "../../../src/runtime/temporal/sdk-lines.ts";
import { recordedLog } from "../../support/recorded-log.ts";

describe("what the SDK of Temporal says", () => {
  it("is a warning; its tries while the server is away are not, which has one line already (R-X175)", () => {
    const log = recordedLog();
    const write = sdkLines(log);
    const error = new Error("no slot");
    write({ level: "ERROR", message: "gRPC call poll_activity_task_queue retried 17 times", meta: {} });
    write({ level: "ERROR", message: "gRPC call poll_workflow_task_queue retried 18 times", meta: {} });
    write({ level: "ERROR", message: "Workflow failed", meta: { workflowId: "webhook-retry" } });
    write({ level: "WARN", message: "A poller waits", meta: {} });
    write({ level: "ERROR", message: "Worker failed", meta: { error } });
    expect(log.lines.map(({ level, sentence, fields }) => [level, sentence, fields])).toEqual([
      ["debug", "Temporal: gRPC call poll_activity_task_queue retried 17 times", {}],
      ["debug", "Temporal: gRPC call poll_workflow_task_queue retried 18 times", {}],
      ["debug", "Temporal: Workflow failed", {}],
      ["debug", "Temporal: A poller waits", {}],
      ["warn", "Temporal: Worker failed", { error }],
    ]);
  });
});
