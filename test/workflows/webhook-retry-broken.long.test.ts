import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { createMetrics } from "../../src/runtime/process/metrics.ts";
import { TASK_QUEUE, temporalWorker } from "../../src/runtime/temporal/worker-loop.ts";
import { workflowBundle } from "../../src/runtime/temporal/workflow-bundle.ts";
import { eventually } from "../support/eventually.ts";
import { describeWith } from "../support/optional-part.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { withScope } from "../support/scope.ts";
import { steadyCredentials } from "../support/steady-credentials.ts";
import { temporalPart } from "../support/temporal-server.ts";
import { outcomesOf } from "../webhooks/retry-kit.ts";
import { openTroubleKit, type TroubleKit } from "./trouble.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Below the repository, where its packages are found. */
const FOLDER = join(ROOT, ".cache", "workflows-of-another-release");

/** The workflows of a program in which a delivery's run takes one step more; returns the path of their index. */
function workflowsWithAnotherStep(): string {
  cpSync(join(ROOT, "workflows"), FOLDER, { recursive: true });
  const path = join(FOLDER, "webhook-retry.ts");
  const written = readFileSync(path, "utf8");
  const loop = 'while (progress.kind === "waiting"';
  const step = "upsertSearchAttributes([{ key: webhookAttempts, value: 0 }]);";
  expect(written).toContain(loop);
  writeFileSync(path, written.replace(loop, `${step}\n    ${loop}`));
  return join(FOLDER, "index.ts");
}

describeWith(temporalPart(), "a run that breaks", () => {
  withScope((closeLater) => {
    let setup: TroubleKit;
    beforeAll(async () => {
      setup = await openTroubleKit(closeLater, { separate: true });
    }, 90_000);
    afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

    it("by an activity that an operator completed by hand is Failed, and another one goes on with the delivery (R-X450)", async () => {
      const { handle, receiver, settled } = await setup.inTrouble("by-hand");
      receiver.answerNext("silence");
      await receiver.next();
      await receiver.next();
      const run = setup.temporal.client.workflow.getHandle(handle.workflowId, (await handle.describe()).runId);
      const completed = ["--activity-id", "1", "--result", "{}"];
      setup.temporal.command("activity", "complete", "--workflow-id", handle.workflowId, ...completed);
      const status = async () => (await run.describe()).status.name;
      expect(await eventually(status, (name) => name !== "RUNNING")).toBe("FAILED");
      expect(outcomesOf(await settled(80_000))).toEqual(["refused", "timeout", "acknowledged"]);
      expect(receiver.received).toHaveLength(3);
    }, 120_000);

    it("by its input is Failed at once, and its history has no stack (R-X450, R-E15)", async () => {
      const { workflow } = setup.temporal.client;
      const handle = await workflow.start("webhookRetry", { taskQueue: TASK_QUEUE, workflowId: "started-by-hand" });
      await expect(handle.result()).rejects.toThrow();
      const history = historyToJSON(await handle.fetchHistory());
      expect(history).toContain("workflowExecutionFailedEventAttributes");
      expect([ROOT, "webhook-retry.ts"].filter((text) => history.includes(text))).toEqual([]);
    }, 90_000);

    it("since another release takes other steps is Failed, and another one goes on with the delivery (R-X450)", async () => {
      const { handle, settled, receiver, closed } = await setup.inTrouble("released");
      const isWaiting = async () => historyToJSON(await handle.fetchHistory()).includes("EVENT_TYPE_TIMER_STARTED");
      await eventually(isWaiting, (waits) => waits);
      await setup.kit.gatehouse.programs.worker?.end("SIGKILL");
      const path = workflowsWithAnotherStep();
      const other = temporalWorker({
        address: setup.temporal.address,
        namespace: "default",
        credentials: steadyCredentials(),
        bundle: () => workflowBundle(path, join(ROOT, ".cache", "workflows")),
        failureConverterPath: join(ROOT, "workflows", "failure-converter.ts"),
        activities: {},
        searchAttributes: [],
        activitySlots: 1,
        graceMs: 100,
        log: recordedLog(),
        metrics: createMetrics(),
      });
      const ending = new AbortController();
      const running = other.loop.run(ending.signal);
      expect(await closed()).toBe("FAILED");
      ending.abort();
      await running;
      await setup.kit.gatehouse.restart("worker");
      expect(outcomesOf(await settled(80_000))).toEqual(["refused", "acknowledged"]);
      expect(receiver.received).toHaveLength(2);
    }, 180_000);
  });
});
