import { setTimeout as sleep } from "node:timers/promises";
import type { AttemptOutcome, RecordOutcomesRequest } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { Failure, unavailable } from "../../../src/runtime/basis/errors.ts";
import { outcomeReporter } from "../../../src/webhooks/sending/outcome-reporter.ts";
import { silentLog } from "../../support/silent-log.ts";
import { OutcomeClass } from "../webhooks-kit.ts";

const outcome = (deliveryId: string): AttemptOutcome => ({
  deliveryId,
  fence: 1,
  round: 1,
  attemptNumber: 1,
  class: OutcomeClass.REFUSED,
  durationMs: 1,
  responseExcerpt: Buffer.alloc(0),
});

/** A reporter towards services that answer as a test says, with the time stopped at 0. */
function reporterTo(answer: (ids: readonly string[]) => Promise<void>, now = () => 0) {
  const calls: string[][] = [];
  const dispatch = {
    async recordOutcomes({ outcomes }: RecordOutcomesRequest) {
      const ids = outcomes.map(({ deliveryId }) => deliveryId);
      calls.push(ids);
      await answer(ids);
      return { recorded: ids.length };
    },
  };
  return { calls, reporter: outcomeReporter({ dispatch, now, log: silentLog }) };
}

const never = new AbortController().signal;

describe("reporting outcomes", () => {
  it("sends outcomes of one moment together, at most 50 at a time", async () => {
    const { calls, reporter } = reporterTo(async () => undefined);
    for (let number = 0; number < 120; number++) reporter.report(outcome(`d${number}`), 1_000);
    await reporter.idle(never);
    expect(calls.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(calls.flat()).toEqual(Array.from({ length: 120 }, (_, number) => `d${number}`));
  });

  it("makes one call at a time, with all that arrived meanwhile", async () => {
    const release: (() => void)[] = [];
    const { calls, reporter } = reporterTo(() => new Promise((resolve) => release.push(resolve)));
    reporter.report(outcome("a"), 1_000);
    while (release.length === 0) await sleep(1);
    for (const id of ["b", "c"]) reporter.report(outcome(id), 1_000);
    await sleep(20);
    expect(calls).toEqual([["a"]]);
    release.shift()?.();
    while (release.length === 0) await sleep(1);
    expect(calls).toEqual([["a"], ["b", "c"]]);
    release.shift()?.();
    await reporter.idle(never);
  });

  it("tries again while services cannot be reached", async () => {
    let down = 2;
    const { calls, reporter } = reporterTo(async () => {
      if (down-- > 0) throw unavailable("Down.");
    });
    reporter.report(outcome("a"), 1_000);
    reporter.report(outcome("b"), 1_000);
    await reporter.idle(never);
    expect(calls).toEqual([
      ["a", "b"],
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("drops an outcome when its lease has ended, and only that one", async () => {
    let now = 0;
    const { calls, reporter } = reporterTo(
      async () => {
        now += 100;
        if (now < 300) throw unavailable("Down.");
      },
      () => now,
    );
    reporter.report(outcome("short"), 150);
    reporter.report(outcome("long"), 1_000);
    await reporter.idle(never);
    expect(calls).toEqual([["short", "long"], ["short", "long"], ["long"]]);
  });

  it("continues with the others when one is refused", async () => {
    let now = 0;
    const { calls, reporter } = reporterTo(
      async (ids) => {
        now += 10;
        if (ids.includes("bad")) throw new Failure("INTERNAL", "internal", "Internal error");
      },
      () => now,
    );
    for (const id of ["a", "bad", "b"]) reporter.report(outcome(id), 60);
    await reporter.idle(never);
    const told = calls.filter((ids) => !ids.includes("bad")).flat();
    expect(told.sort()).toEqual(["a", "b"]);
    expect(calls.length).toBeLessThan(10);
  });

  it("stops waiting when its signal is aborted", async () => {
    const { reporter } = reporterTo(() => new Promise(() => undefined));
    reporter.report(outcome("a"), 1_000);
    // The call never answers: only its abort signal can end this.
    await expect(reporter.idle(AbortSignal.timeout(50))).resolves.toBeUndefined();
  });
});
