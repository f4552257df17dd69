import type { WorkflowHandle } from "@temporalio/client";
import { eventually } from "../support/eventually.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { temporalPart } from "../support/temporal-server.ts";
import { openTroubleKit, type TroubleKit } from "./trouble.ts";

const WAIT_MS = 20_000;
const FLAGS = { "webhook-attempt-delays": `${WAIT_MS / 1_000}s,${WAIT_MS / 1_000}s` };

describeWith(temporalPart(), "a webhookRetry whose Temporal worker was away", () => {
  withScope((closeLater) => {
    let setup: TroubleKit;
    beforeEach(async () => {
      setup = await openTroubleKit(closeLater, { separate: true, flags: FLAGS });
    }, 120_000);

    it("counts its wait from its start, not from when a worker finds it (R-X397)", async () => {
      const { handle, receiver } = await setup.inTrouble("late-start");
      await waits(handle, 1);
      await stopWorker();
      // As if it were started only now: the new run has no task yet, and its start is that of the first one.
      const words = ["workflow", "reset", "--workflow-id", handle.workflowId, "--type", "FirstWorkflowTask"];
      setup.temporal.command(...words, "--reason", "pressed");
      await pass(WAIT_MS);
      await receiver.next();
      await setup.kit.gatehouse.restart("worker");
      await receiver.next({ timeoutMs: 60_000 });
      const again = setup.temporal.client.workflow.getHandle(handle.workflowId);
      expect(await waits(again, 1)).toEqual([1]);
    }, 180_000);

    it("counts it from the answer to the attempt before, not from when a worker reads that (R-X397)", async () => {
      const { handle, receiver, attempts } = await setup.inTrouble("late-answer");
      await receiver.next();
      receiver.answerNext({ status: 503, delayMs: 3_000 });
      await receiver.next({ timeoutMs: 60_000 });
      // The attempt is under way; its answer still becomes part of the history, and nobody reads it there.
      await stopWorker();
      await attempts(2);
      await pass(WAIT_MS);
      await setup.kit.gatehouse.restart("worker");
      await receiver.next({ timeoutMs: 60_000 });
      expect((await waits(handle, 2)).slice(1)).toEqual([1]);
    }, 180_000);

    const stopWorker = () => setup.kit.gatehouse.programs.worker?.end();
  });
});

async function pass(milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  await eventually(
    async () => Date.now(),
    (now) => now > end,
    milliseconds + 60_000,
  );
}

/** The lengths of the timers in the history, in milliseconds, when there are so many. */
async function waits(handle: WorkflowHandle, count: number): Promise<readonly number[]> {
  const list = async () =>
    ((await handle.fetchHistory()).events ?? []).flatMap(({ timerStartedEventAttributes: timer }) => {
      const { seconds, nanos } = timer?.startToFireTimeout ?? {};
      return timer ? [Number(seconds ?? 0) * 1_000 + Number(nanos ?? 0) / 1_000_000] : [];
    });
  return eventually(list, ({ length }) => length >= count);
}
