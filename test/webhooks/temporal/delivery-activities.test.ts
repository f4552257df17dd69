import { ApplicationFailure } from "@temporalio/common";
import { type Standing, StandingKind } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { Failure } from "../../../src/runtime/basis/errors.ts";
import { activityPlaces } from "../../../src/webhooks/temporal/activity-places.ts";
import { deliveryActivities, toRoundProgress } from "../../../src/webhooks/temporal/delivery-activities.ts";

const WAITING: Standing = {
  kind: StandingKind.WAITING,
  waitMs: 60_000,
  attempts: 1,
  attemptsMax: 3,
  lastOutcome: "refused",
  lastHttpStatus: 503,
  reason: null,
};

/** Activities over services that answer every call so. */
const activitiesOver = (answer: () => Promise<never>) =>
  deliveryActivities({
    dispatch: { claimOne: answer, recordOne: answer, cancelDelivery: answer },
    attemptSender: { send: answer, close: async () => undefined },
    metrics: { ended: () => undefined },
    claims: { claim: (call) => call("claim") },
    troubles: { happened: () => 1_000 },
    leaseMs: 60_000,
    activitySlots: 100,
    places: activityPlaces(100),
    now: () => 0,
  });

const thrown = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe("the result of an activity", () => {
  it("is the round's progress, and omits unknown fields", () => {
    expect(toRoundProgress(WAITING)).toEqual({
      kind: "waiting",
      waitMs: 60_000,
      attempts: 1,
      attemptsMax: 3,
      lastOutcome: "refused",
      lastHttpStatus: 503,
    });
    expect(toRoundProgress({ ...WAITING, lastHttpStatus: null, reason: "gone" })).toEqual({
      kind: "waiting",
      waitMs: 60_000,
      attempts: 1,
      attemptsMax: 3,
      lastOutcome: "refused",
      reason: "gone",
    });
  });

  it.each([
    ["the endpoint's host has no free place", StandingKind.CROWDED, "EndpointCrowded"],
    ["a restored store suspends the delivery (R-X248)", StandingKind.SUSPENDED, "DeliverySuspended"],
  ])("asks to be called again later while %s, which is not a failure", (_, kind, type) => {
    const notNow = thrown(() => toRoundProgress({ ...WAITING, kind, waitMs: 2_000 }));
    expect(notNow).toBeInstanceOf(ApplicationFailure);
    expect(notNow).toMatchObject({
      type,
      nextRetryDelay: 2_000,
      nonRetryable: false,
      category: "BENIGN",
      stack: "",
    });
  });

  it.each<[Standing | null, string]>([
    [null, "no progress"],
    [{ ...WAITING, kind: StandingKind.UNSPECIFIED }, "an unknown kind"],
  ])("is a failure for %j: %s", (progress, _) => {
    expect(thrown(() => toRoundProgress(progress))).toMatchObject({ type: "OwnFault", nonRetryable: false, stack: "" });
  });

  it("is the class of our own fault, without its sentence and stack (R-E15)", async () => {
    const secret = "whsec_marked and maren@harbour.example";
    const activities = activitiesOver(() => Promise.reject(new Failure("UNAVAILABLE", "unavailable", secret)));
    const failure = await activities.cancelDelivery({ deliveryId: "delivery_1", round: 1 }).catch((error) => error);
    expect(failure).toMatchObject({ type: "OwnFault", nonRetryable: false, stack: "" });
    expect(failure.message).toContain("UNAVAILABLE");
    expect(JSON.stringify([failure.message, failure.details, failure.cause])).not.toContain("marked");
  });

  it("is final when the store has no such delivery", async () => {
    const activities = activitiesOver(() => Promise.reject(new Failure("NOT_FOUND", "delivery_round_not_found", "")));
    await expect(activities.cancelDelivery({ deliveryId: "delivery_1", round: 1 })).rejects.toMatchObject({
      type: "DeliveryUnknown",
      nonRetryable: true,
    });
  });
});
