import type { DeliveryReason } from "../../src/webhooks/deliveries/delivery-reason.ts";
import type { FailedOutcome } from "../../src/webhooks/deliveries/outcome.ts";
import type { RoundProgress } from "../../workflows/webhook-retry-activities.ts";
import {
  attemptSummary,
  currentDetails,
  endedSentence,
  exhaustedSentence,
  inWords,
  lastAnswer,
  lastStatusOf,
  roundDetails,
  waitSummary,
} from "../../workflows/webhook-retry-words.ts";

const NAME = { deliveryId: "delivery_1", round: 1, eventType: "user.updated", subscription: "acme-hr" };
const WAITING: RoundProgress = {
  kind: "waiting",
  waitMs: 61_000,
  attempts: 1,
  attemptsMax: 3,
  lastOutcome: "refused",
  lastHttpStatus: 503,
};

/** The compiler keeps it total. */
const REASONS: Readonly<Record<Exclude<DeliveryReason, FailedOutcome>, string>> = {
  subscription_paused: "its subscription is paused",
  subscription_disabled: "its subscription is disabled",
  subscription_pending: "its endpoint has not acknowledged a ping yet",
  pull_only: "its subscription has no endpoint",
  subscription_deleted: "its subscription was deleted",
  instance_integration_unconfigured: "its instance integration is not configured",
  instance_integration_revoked: "its instance integration was revoked",
  operator: "an operator said so",
  body_removed: "its body is no longer kept",
  store_restored: "the store was restored from a backup",
};

describe("operators' sentences about a delivery in trouble", () => {
  it.each([
    [0, "1 s"],
    [1_499, "1 s"],
    [59_600, "1 min"],
    [61_000, "1 min 1 s"],
    [3_600_000, "1 h"],
    [3_725_000, "1 h 2 min"],
    [86_400_000, "24 h"],
  ])("%d ms are %s", (milliseconds, words) => {
    expect(inWords(milliseconds)).toBe(words);
  });

  it.each<[Pick<RoundProgress, "lastOutcome" | "lastHttpStatus">, string, string]>([
    [{ lastOutcome: "refused", lastHttpStatus: 503 }, "answered 503", "503"],
    [{ lastOutcome: "redirect", lastHttpStatus: 302 }, "answered 302: a redirect, which is not followed", "302"],
    [{ lastOutcome: "timeout" }, "no answer in time", "timeout"],
    [{ lastOutcome: "tls" }, "TLS failed: see the endpoint's certificate", "tls"],
    [{ lastOutcome: "lost" }, "how it ended is not known: the worker was lost", "lost"],
    [{ lastOutcome: "protocol", lastHttpStatus: 200 }, "answered 200: the answer broke HTTP or was cut off", "200"],
    [{ lastOutcome: "something new" }, "something new", "something new"],
    [{ lastOutcome: "" }, "nothing yet", ""],
  ])("%j is: %s", (last, words, status) => {
    const { lastHttpStatus: _, ...progress } = WAITING;
    expect(lastAnswer({ ...progress, ...last })).toBe(words);
    expect(lastStatusOf({ ...progress, ...last })).toBe(status);
  });

  it("names attempts and waits", () => {
    expect(attemptSummary(NAME, WAITING)).toBe("user.updated to acme-hr, attempt 2 of 3");
    expect(waitSummary(WAITING)).toBe("answered 503; wait 1 min 1 s before attempt 2 of 3");
    expect(waitSummary({ ...WAITING, kind: "underWay", attempts: 2 })).toBe(
      "attempt 2 is with another worker; ask again in 1 min 1 s",
    );
  });

  it("says what to do", () => {
    expect(currentDetails(NAME, WAITING, new Date("2026-11-20T14:05:06.789Z"))).toContain("2026-11-20 14:05:06 UTC");
    expect(roundDetails(NAME)).toMatch(/deliverNow.*\n.*cancellation/);
  });

  it.each<[Partial<RoundProgress>, string]>([
    [{ kind: "delivered", attempts: 2 }, "Delivered at attempt 2 of 3."],
    [{ kind: "skipped", reason: "subscription_paused" }, "Not delivered: skipped, because its subscription is paused."],
    [{ kind: "cancelled", reason: "operator" }, "Not delivered: cancelled, because an operator said so."],
    [{ kind: "cancelled", reason: "a_new_one" }, "Not delivered: cancelled, because a_new_one."],
    [{ kind: "skipped" }, "Not delivered: skipped, because the store says so."],
  ])("%j ended as: %s", (progress, sentence) => {
    expect(endedSentence({ ...WAITING, ...progress })).toBe(sentence);
  });

  it.each(Object.entries(REASONS))("has words for the reason %s", (reason, words) => {
    expect(endedSentence({ ...WAITING, kind: "skipped", reason })).toBe(`Not delivered: skipped, because ${words}.`);
  });

  it("distinguishes an exhausted delivery from a gone endpoint", () => {
    const exhausted = { ...WAITING, kind: "exhausted", attempts: 3 } as const;
    expect(exhaustedSentence(NAME, exhausted)).toMatch(/after 3 attempts; the last one: answered 503\. Nothing more/);
    expect(exhaustedSentence(NAME, { ...exhausted, attempts: 1, reason: "gone" })).toMatch(
      /after 1 attempt;.* disabled\.$/,
    );
  });
});
