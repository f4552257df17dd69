import fc from "fast-check";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import type { Delivery, EndedAttempt } from "../../../src/webhooks/deliveries/delivery.ts";
import { afterAttempt, parseRetryAfter } from "../../../src/webhooks/queue/attempt-schedule.ts";

const NOW = new Date("2026-06-30T08:00:00.000Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EXACT = { random: systemRandom, jitter: 0 };

const DELIVERY: Delivery = {
  sequence: 1,
  id: newId("delivery", systemRandom),
  eventId: newId("event", systemRandom),
  eventType: "user.updated",
  occurredAt: NOW,
  tenantId: undefined,
  subscriptionId: newId("subscription", systemRandom),
  round: 1,
  attempts: 1,
  delaysMs: [MINUTE, HOUR],
  createdAt: NOW,
  fence: 1,
  made: [],
  underWay: undefined,
};

const failed = ({
  attempts = 1,
  delaysMs = DELIVERY.delaysMs,
  ...more
}: Partial<Omit<EndedAttempt, "delivery"> & Delivery> = {}): EndedAttempt => ({
  outcome: "refused",
  httpStatus: 500,
  delivery: { ...DELIVERY, attempts, delaysMs },
  ...more,
});

const next = (ended: EndedAttempt, deps = EXACT) => afterAttempt(ended, NOW, deps);

/** Milliseconds until the next attempt; `undefined` when there is none. */
const waitAfter = (ended: EndedAttempt, deps = EXACT): number | undefined => {
  const attempt = next(ended, deps);
  return attempt.kind === "again" ? attempt.at.getTime() - NOW.getTime() : undefined;
};

describe("what follows an attempt (R-E6)", () => {
  it("delivers on acknowledgement, whichever attempt it was", () => {
    expect([1, 2, 3].map((attempts) => next(failed({ outcome: "acknowledged", attempts })))).toEqual(
      [1, 2, 3].map(() => ({ kind: "delivered" })),
    );
  });

  it("waits a minute after the first failure, an hour after the second, and ends after the third", () => {
    expect([1, 2].map((attempts) => waitAfter(failed({ attempts })))).toEqual([MINUTE, HOUR]);
    expect(next(failed({ attempts: 3, outcome: "timeout" }))).toEqual({
      kind: "exhausted",
      reason: "timeout",
    });
  });

  it.each(["redirect", "refused", "timeout", "dns", "tls", "connection", "address", "protocol", "lost"] as const)(
    "treats %s like any other attempt",
    (outcome) => {
      expect(waitAfter(failed({ outcome }))).toBe(MINUTE);
    },
  );

  it("exhausts the delivery at once when the endpoint is gone", () => {
    expect(next(failed({ outcome: "gone", httpStatus: 410 }))).toEqual({
      kind: "exhausted",
      reason: "gone",
    });
  });

  it("never allows a fourth attempt, however long the plan", () => {
    expect(next(failed({ attempts: 3, delaysMs: [1, 1, 1, 1] })).kind).toBe("exhausted");
  });

  it("makes as few attempts as the plan says: a plan without waits has one attempt (R-E8)", () => {
    expect(next(failed({ delaysMs: [] })).kind).toBe("exhausted");
    expect(next(failed({ attempts: 2, delaysMs: [MINUTE] })).kind).toBe("exhausted");
  });

  it("stays within the jitter's bounds, and uses their whole range", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), fc.integer({ min: 0, max: DAY }), (bytes, delayMs) => {
        const wait = waitAfter(failed({ delaysMs: [delayMs] }), {
          random: { bytes: () => Buffer.from(bytes) },
          jitter: 0.2,
        });
        expect(wait).toBeGreaterThanOrEqual(Math.floor(delayMs * 0.8));
        expect(wait).toBeLessThanOrEqual(Math.ceil(delayMs * 1.2));
      }),
    );
    const edge = (byte: number) =>
      waitAfter(failed(), { random: { bytes: (n) => Buffer.alloc(n, byte) }, jitter: 0.2 });
    expect([edge(0), edge(0xff)]).toEqual([0.8 * MINUTE, 1.2 * MINUTE]);
  });
});

describe("Retry-After (R-E6)", () => {
  it.each([429, 503])("puts the attempt off on a %i", (httpStatus) => {
    expect(waitAfter(failed({ httpStatus, retryAfter: "120" }))).toBe(2 * MINUTE);
  });

  it.each([500, 502, 504, 404, 200, 302, undefined])("is ignored on %s", (httpStatus) => {
    expect(waitAfter(failed({ httpStatus, retryAfter: "120" }))).toBe(MINUTE);
  });

  it("never brings an attempt forward", () => {
    expect(
      ["0", "1", "59", "Sun, 06 Nov 1994 08:49:37 GMT"].map((retryAfter) =>
        waitAfter(failed({ httpStatus: 429, retryAfter })),
      ),
    ).toEqual([MINUTE, MINUTE, MINUTE, MINUTE]);
  });

  it("is honoured for a day at most", () => {
    const asked = ["86400", "86401", "999999999999999999999999", "Wed, 30 Jun 2027 08:00:00 GMT"];
    expect(asked.map((retryAfter) => waitAfter(failed({ httpStatus: 503, retryAfter })))).toEqual([DAY, DAY, DAY, DAY]);
  });

  it("adds no attempt to the plan", () => {
    expect(next(failed({ attempts: 3, httpStatus: 429, retryAfter: "1" })).kind).toBe("exhausted");
  });

  it("is kept exactly: jitter shortens only our own wait", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * 86_400 }), (seconds) => {
        const wait =
          waitAfter(failed({ httpStatus: 429, retryAfter: String(seconds) }), { random: systemRandom, jitter: 0.2 }) ??
          -1;
        expect(wait).toBeGreaterThanOrEqual(Math.min(seconds * 1000, DAY));
        expect(wait).toBeLessThanOrEqual(Math.max(DAY, 1.2 * MINUTE));
      }),
    );
  });

  it.each([
    ["Tue, 30 Jun 2026 08:02:00 GMT", 2 * MINUTE],
    ["Tuesday, 30-Jun-26 08:02:00 GMT", 2 * MINUTE],
    ["Tue Jun 30 08:02:00 2026", 2 * MINUTE],
    ["Tue, 30 Jun 2026 07:59:00 GMT", -MINUTE],
    ["7", 7_000],
    ["007", 7_000],
  ])("reads %s (RFC 9110 §5.6.7, §10.2.3)", (text, ms) => {
    expect(parseRetryAfter(text, NOW)).toBe(ms);
  });

  it.each([
    "",
    " ",
    "soon",
    "-1",
    "1.5",
    "+1",
    "0x10",
    "1e3",
    "2026-06-30T08:02:00Z",
    "Tue, 30 Jun 2026 08:02:00",
    "Tue, 30 Foo 2026 08:02:00 GMT",
    "Tue, 99 Jun 2026 08:02:00 GMT",
    "xTue, 30 Jun 2026 08:02:00 GMT",
    "Tue, 30 Jun 2026 08:02:00 GMT+1",
    "xTuesday, 30-Jun-26 08:02:00 GMT",
    "Tuesday, 30-Jun-26 08:02:00 GMT+1",
    "xTue Jun 30 08:02:00 2026",
    "Tue Jun 30 08:02:00 2026 +1",
  ])("is ignored when it is %j", (text) => {
    expect(parseRetryAfter(text, NOW)).toBeUndefined();
  });
});
