import { join } from "node:path";
import { Failure } from "../../../src/runtime/basis/errors.ts";
import type { Carrier } from "../../../src/runtime/rpc/call.ts";
import { socketCarrier } from "../../../src/runtime/rpc/socket-client.ts";
import { sayingUnanswered } from "../../../src/runtime/rpc/unanswered.ts";
import { eachCarrier } from "../../support/carriers.ts";
import { collect } from "../../support/collect.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { EchoService, echo } from "./echo.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const OPTIONS = { requestId: "req_1", metadata: { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` } };

const said = (carrier: Carrier) => {
  const log = recordedLog();
  return { log, ...sayingUnanswered(carrier.connect, log)(EchoService) };
};

describe("a call that nobody answers (R-X14)", () => {
  const closeLater = closingAfterAll();

  it("has a line with the request, its trace, and why the other side cannot be reached", async () => {
    const carrier = socketCarrier(join(import.meta.dirname, "none.sock"));
    closeLater(() => carrier.close());
    const { log, say, count } = said(carrier);
    const failed = expect.objectContaining({ code: "UNAVAILABLE" });
    await expect(say({ text: "" }, OPTIONS)).rejects.toEqual(failed);
    await expect(collect(count({ upTo: 1 }, OPTIONS))).rejects.toEqual(failed);
    const line = (method: string) => ({
      level: "warn",
      sentence: "A call got no answer.",
      fields: {
        requestId: "req_1",
        traceId: TRACE_ID,
        call: `/gatehouse.test.v1.Echo/${method}`,
        code: "UNAVAILABLE",
        reason: "unavailable",
        detail: expect.stringContaining("none.sock"),
      },
    });
    expect(log.lines).toEqual([line("Say"), line("Count")]);
  });

  eachCarrier((_, open) => {
    it("in time has a line; one that is answered, refused or given up has none", async () => {
      const until = Promise.withResolvers<never>();
      until.promise.catch(() => undefined);
      const carrier = await open({
        registrations: [
          echo({
            async say({ text }) {
              if (text === "late") return until.promise;
              if (text === "busy")
                throw new Failure("UNAVAILABLE", "unavailable", "Busy.", { cause: new Error("disk") });
              return { text };
            },
          }),
        ],
      });
      const { log, say } = said(carrier);
      const left = AbortSignal.abort();
      await say({ text: "Ada" }, OPTIONS);
      await expect(say({ text: "busy" }, OPTIONS)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await expect(say({ text: "Ada" }, { ...OPTIONS, signal: left })).rejects.toMatchObject({ code: "CANCELLED" });
      expect(log.lines).toEqual([]);
      await expect(say({ text: "late" }, { ...OPTIONS, deadlineMs: 50 })).rejects.toMatchObject({
        code: "DEADLINE_EXCEEDED",
      });
      until.reject(new Error("The test is over."));
      expect(log.lines.map(({ fields: { requestId, code, reason } }) => [requestId, code, reason])).toEqual([
        ["req_1", "DEADLINE_EXCEEDED", "deadline_exceeded"],
      ]);
    });
  });
});
