import { asyncLocalStorage, type Context } from "@temporalio/activity";
import type { AdvanceRecoveryResponse } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { RecoveryState } from "../../../generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { activityPlaces } from "../../../src/webhooks/temporal/activity-places.ts";
import { recoveryActivities } from "../../../src/webhooks/temporal/recovery-activities.ts";

const PROGRESS = { matched: 3, counted: true, sent: 1, acknowledged: 0, failed: 0, bodyRemoved: 0 };

describe("steps of recoveries (R-X393)", () => {
  /** A worker with so many places, whose services answer when the test says so. */
  function workerWith(slots: number) {
    const answers = Promise.withResolvers<AdvanceRecoveryResponse>();
    const places = activityPlaces(slots);
    const activities = recoveryActivities({
      dispatch: { advanceRecovery: () => answers.promise, changeRecovery: () => Promise.reject(new Error("unused")) },
      places,
    });
    const step = (attempt = 1) =>
      asyncLocalStorage.run(
        {
          info: { attempt },
          heartbeat: () => undefined,
          cancellationSignal: new AbortController().signal,
        } as unknown as Context,
        () => activities.advanceRecovery({ recoveryId: "recovery_1", waitMs: 2_000 }),
      );
    return {
      places,
      step,
      answer: () =>
        answers.resolve({
          recovery: { state: RecoveryState.RUNNING, progress: PROGRESS, reason: null } as never,
          underWay: 1,
        }),
    };
  }

  it("have a quarter of a Temporal worker's places; a further one asks again later, which is not a failure", async () => {
    const { places, step, answer } = workerWith(100);
    const steps = Array.from({ length: 25 }, () => step());
    expect(places.free).toBe(75);
    const turnedAway = { type: "RecoveriesCrowded", nonRetryable: false, category: "BENIGN", stack: "" };
    await expect(step()).rejects.toMatchObject({ ...turnedAway, nextRetryDelay: 2_000 });
    await expect(step(3)).rejects.toMatchObject({ ...turnedAway, nextRetryDelay: 8_000 });
    await expect(step(90)).rejects.toMatchObject({ ...turnedAway, nextRetryDelay: 30_000 });
    expect(places.free).toBe(75);
    answer();
    await expect(Promise.all(steps)).resolves.toHaveLength(25);
    expect(places.free).toBe(100);
    await expect(step()).resolves.toMatchObject({ state: "running", sent: 1 });
  });

  it("have one place at least", async () => {
    const { step, answer } = workerWith(1);
    const first = step();
    await expect(step()).rejects.toMatchObject({ type: "RecoveriesCrowded" });
    answer();
    await expect(first).resolves.toMatchObject({ state: "running" });
  });
});
