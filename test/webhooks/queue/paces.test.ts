import type { DeliveryId, SubscriptionId } from "../../../src/runtime/basis/ids.ts";
import type { EndedAttempt } from "../../../src/webhooks/deliveries/delivery.ts";
import { createPaces } from "../../../src/webhooks/queue/paces.ts";

const ORIGIN = "https://hooks.example.com";

const endedOf = (
  subscriptionId: string,
  {
    outcome,
    durationMs,
    httpStatus,
    wasSlow = false,
    endpointUrl = `${ORIGIN}/events`,
  }: Pick<EndedAttempt, "outcome" | "durationMs" | "httpStatus"> & { wasSlow?: boolean; endpointUrl?: string },
): EndedAttempt => ({
  delivery: {
    sequence: 1,
    id: "delivery_x" as DeliveryId,
    eventId: "event_x" as EndedAttempt["delivery"]["eventId"],
    eventType: "user.updated",
    occurredAt: new Date(0),
    subscriptionId: subscriptionId as SubscriptionId,
    tenantId: undefined,
    createdAt: new Date(0),
    round: 1,
    attempts: 1,
    delaysMs: [],
    fence: 1,
    made: [],
    underWay: { startedAt: new Date(0), endpointUrl },
  },
  outcome,
  durationMs,
  httpStatus,
  wasSlow,
});

const AT = new Date("2026-01-05T08:00:00Z");

describe("paces: who answers promptly (R-X306)", () => {
  it.each([
    ["a prompt 2xx", "acknowledged", 20, true],
    ["a prompt refusal", "refused", 20, true],
    ["a closed port", "connection", 1, true],
    ["an answer within a fifth of the time", "acknowledged", 3_000, true],
    ["an answer after more than that", "acknowledged", 3_001, false],
    ["a refusal after more than that", "refused", 14_000, false],
    ["a name that is looked up for long", "dns", 5_000, false],
    ["no answer in time", "timeout", 15_000, false],
    ["no answer in time, by a clock that was set", "timeout", 0, false],
  ] as const)("%s", (_, outcome, durationMs, isProven) => {
    const paces = createPaces({ timeoutMs: 15_000 });
    const ended = [endedOf("s", { outcome, durationMs })];
    const changed = paces.changedBy(ended);
    paces.learn(ended, AT);
    expect(paces.isProven({ subscriptionId: "s", slow: false, origin: ORIGIN })).toBe(isProven);
    expect(changed).toEqual({ slow: isProven ? [] : ["s"], prompt: [] });
  });

  it("is not proven before its first answer", () => {
    expect(createPaces({ timeoutMs: 15_000 }).isProven({ subscriptionId: "s", slow: false, origin: ORIGIN })).toBe(
      false,
    );
  });

  it("changes the store only when the pace changes", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    const slow = { outcome: "timeout", durationMs: 15_000 } as const;
    const prompt = { outcome: "acknowledged", durationMs: 9 } as const;
    expect(paces.changedBy([endedOf("s", slow)])).toEqual({ slow: ["s"], prompt: [] });
    expect(paces.changedBy([endedOf("s", { ...slow, wasSlow: true })])).toEqual({ slow: [], prompt: [] });
    expect(paces.changedBy([endedOf("s", { ...prompt, wasSlow: true })])).toEqual({ slow: [], prompt: ["s"] });
    expect(paces.changedBy([endedOf("s", prompt)])).toEqual({ slow: [], prompt: [] });
  });

  it("changes nothing in the store for an attempt to an endpoint that was replaced meanwhile", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    const ended = { ...endedOf("s", { outcome: "timeout", durationMs: 15_000 }), wasSlow: undefined };
    expect(paces.changedBy([ended])).toEqual({ slow: [], prompt: [] });
  });

  it("takes one prompt answer of several attempts that end at once", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    const ended = [
      endedOf("s", { outcome: "timeout", durationMs: 15_000 }),
      endedOf("s", { outcome: "acknowledged", durationMs: 5 }),
      endedOf("other", { outcome: "timeout", durationMs: 15_000 }),
    ];
    expect(paces.changedBy(ended)).toEqual({ slow: ["other"], prompt: [] });
    paces.learn(ended, AT);
    expect(paces.isProven({ subscriptionId: "s", slow: false, origin: ORIGIN })).toBe(true);
  });

  it("forgets a proof when an attempt takes long", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    const isProven = () => paces.isProven({ subscriptionId: "s", slow: false, origin: ORIGIN });
    paces.learn([endedOf("s", { outcome: "acknowledged", durationMs: 5 })], AT);
    expect(isProven()).toBe(true);
    paces.learn([endedOf("s", { outcome: "timeout", durationMs: 15_000 })], AT);
    expect(isProven()).toBe(false);
  });

  it("forgets a proof when another process found the subscription slow", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    paces.learn([endedOf("s", { outcome: "acknowledged", durationMs: 5 })], AT);
    expect(paces.isProven({ subscriptionId: "s", slow: true, origin: ORIGIN })).toBe(false);
    expect(paces.isProven({ subscriptionId: "s", slow: false, origin: ORIGIN })).toBe(false);
  });

  it("is not proven at an origin to which its endpoint has moved, before an attempt ended promptly there", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    const prompt = { outcome: "acknowledged", durationMs: 5 } as const;
    const isProven = (origin: string) => paces.isProven({ subscriptionId: "s", origin, slow: false });
    paces.learn([endedOf("s", prompt)], AT);
    expect([isProven(ORIGIN), isProven("https://moved.example.com")]).toEqual([true, false]);
    paces.learn([endedOf("s", { ...prompt, endpointUrl: "https://moved.example.com/new" })], AT);
    expect([isProven(ORIGIN), isProven("https://moved.example.com")]).toEqual([false, true]);
    paces.learn([endedOf("s", { ...prompt, endpointUrl: "https://moved.example.com/new" }), endedOf("s", prompt)], AT);
    expect([isProven(ORIGIN), isProven("https://moved.example.com")]).toEqual([true, false]);
  });

  it("remembers so many and no more", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    for (let number = 0; number <= 50_000; number++) {
      paces.learn([endedOf(`s${number}`, { outcome: "acknowledged", durationMs: 5 })], AT);
    }
    const known = ["s0", "s1", "s50000"].map((subscriptionId) =>
      paces.isProven({ subscriptionId, slow: false, origin: ORIGIN }),
    );
    expect(known).toEqual([false, true, true]);
  });
});

describe("paces: how many places a subscription can use (R-X338)", () => {
  const later = (ms: number) => new Date(AT.getTime() + ms);
  const acknowledged = (subscriptionId: string, durationMs: number) =>
    endedOf(subscriptionId, { outcome: "acknowledged", durationMs, httpStatus: 204 });
  const learned = (durationMs: number) => {
    const paces = createPaces({ timeoutMs: 15_000 });
    paces.learn([acknowledged("busy", durationMs)], AT);
    paces.learn([acknowledged("other", 5)], AT);
    return paces;
  };

  it.each([
    ["an endpoint that answers at once", 1, 8],
    ["one that needs as many as are given at least", 16, 8],
    ["a place for every two milliseconds", 17, 9],
    ["one that is far away", 100, 50],
    ["one that works before it answers", 1_200, 600],
  ])("%s", (_, durationMs, expected) => {
    expect(learned(durationMs).placesFor("busy", AT)).toBe(expected);
  });

  it("any number before its first answer", () => {
    expect(learned(1).placesFor("unknown", AT)).toBe(Number.POSITIVE_INFINITY);
  });

  it("any number while no others' attempts end", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    paces.learn([acknowledged("busy", 1)], AT);
    paces.learn([acknowledged("busy", 1)], AT);
    expect(paces.placesFor("busy", AT)).toBe(Number.POSITIVE_INFINITY);
    paces.learn([acknowledged("other", 1)], AT);
    expect(paces.placesFor("busy", later(10_000))).toBe(8);
    paces.learn([acknowledged("busy", 1)], later(10_000));
    expect(paces.placesFor("busy", later(10_000))).toBe(8);
    expect(paces.placesFor("busy", later(10_001))).toBe(Number.POSITIVE_INFINITY);
    // To the other, the busy one is there.
    expect(paces.placesFor("other", later(20_000))).toBe(8);
  });

  it.each([
    ["that are not answered", { outcome: "timeout", durationMs: 15_000 }],
    ["that are answered after seconds", { outcome: "acknowledged", durationMs: 5_000, httpStatus: 204 }],
    ["that find a closed port", { outcome: "connection", durationMs: 1 }],
    ["that find no name", { outcome: "dns", durationMs: 1 }],
    ["that are lost", { outcome: "lost", durationMs: undefined }],
  ] as const)("any number beside attempts of others %s: a delay of milliseconds is nothing to them", (_, end) => {
    const paces = createPaces({ timeoutMs: 15_000 });
    paces.learn([acknowledged("busy", 1), endedOf("other", end)], AT);
    expect(paces.placesFor("busy", AT)).toBe(Number.POSITIVE_INFINITY);
  });

  it("few beside an endpoint of others that refuses promptly: it answers", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    const refused = endedOf("other", { outcome: "refused", durationMs: 5, httpStatus: 503 });
    paces.learn([acknowledged("busy", 1), refused], AT);
    expect(paces.placesFor("busy", AT)).toBe(8);
  });

  it("few beside an endpoint of others that answers one of two attempts", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    const unanswered = endedOf("other", { outcome: "timeout", durationMs: 15_000 });
    paces.learn([acknowledged("busy", 1), unanswered, acknowledged("other", 5)], AT);
    expect(paces.placesFor("busy", AT)).toBe(8);
  });

  it("any number when others' attempts ended by a clock that was ahead", () => {
    const paces = createPaces({ timeoutMs: 15_000 });
    paces.learn([acknowledged("busy", 1)], AT);
    paces.learn([acknowledged("other", 1)], later(3_600_000));
    expect(paces.placesFor("busy", AT)).toBe(Number.POSITIVE_INFINITY);
  });

  it("follows what attempts take, a fiftieth of the way with each, however many end at once", () => {
    const fifty = Array.from({ length: 50 }, () => acknowledged("busy", 10));
    const atOnce = learned(100);
    atOnce.learn([...fifty, acknowledged("other", 5)], AT);
    const oneByOne = learned(100);
    for (const one of fifty) oneByOne.learn([one], AT);
    oneByOne.learn([acknowledged("other", 5)], AT);
    // 10 ms, and of the 90 that it took more the part 0.98^50.
    expect([atOnce, oneByOne].map((paces) => paces.placesFor("busy", AT))).toEqual([22, 22]);
  });

  it.each([
    ["that answers too late", "acknowledged", 14_000, 142],
    ["that is not answered", "timeout", 15_000, 152],
    ["that is not answered, by a clock that was set", "timeout", 0, 152],
    ["of which no time is known", "lost", undefined, 8],
  ] as const)("one attempt among many %s keeps its place too", (_, outcome, durationMs, expected) => {
    const paces = learned(3);
    paces.learn([endedOf("busy", { outcome, durationMs }), acknowledged("other", 5)], AT);
    expect(paces.placesFor("busy", AT)).toBe(expected);
  });
});
