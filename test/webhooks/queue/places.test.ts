import fc from "fast-check";
import { createPlaces, fullOrigins, type UnderWay } from "../../../src/webhooks/queue/places.ts";

const ORIGIN = "https://shared.example";

const underWayOf = (counts: Readonly<Record<string, number>>): UnderWay[] =>
  Object.entries(counts).map(([subscriptionId, count]) => ({
    origin: ORIGIN,
    subscriptionId,
    integrationId: "i",
    count,
    slow: subscriptionId.startsWith("slow"),
  }));

/** How many a subscription gets when it takes all that it may. */
function grabbed(subscriptionId: string, counts: Readonly<Record<string, number>>, perOrigin: number): number {
  const slow = subscriptionId.startsWith("slow");
  const own = createPlaces(underWayOf(counts), perOrigin).of({ origin: ORIGIN, subscriptionId, slow });
  const before = own.underWay;
  while (own.isFree) own.take();
  return own.underWay - before;
}

describe("places of an origin (R-X305)", () => {
  it.each([
    ["alone: four fifths", "a", {}, 50, 40],
    ["what is under way counts", "a", { a: 30 }, 50, 10],
    ["beside a long queue: part of the rest", "a", { busy: 40 }, 50, 8],
    ["a slow one alone: half", "slow", {}, 50, 25],
    ["slow ones together: half", "slow2", { slow1: 20 }, 50, 5],
    ["when slow ones have their half, another slow one waits", "slow2", { slow1: 25 }, 50, 0],
    ["beside slow ones", "a", { slow1: 25 }, 50, 20],
    ["a slow one beside others: half of the rest", "slow", { a: 25 }, 50, 13],
    ["a full origin", "a", { b: 25, c: 25 }, 50, 0],
    ["the last place goes to a subscription without one", "a", { b: 40, c: 9 }, 50, 1],
    ["of four places the first subscription may take all", "a", {}, 4, 4],
    ["one place", "a", {}, 1, 1],
    ["one place, slow", "slow", {}, 1, 1],
    ["one place that is taken", "a", { b: 1 }, 1, 0],
  ])("%s", (_, subscriptionId, counts, perOrigin, expected) => {
    expect(grabbed(subscriptionId, counts as Record<string, number>, perOrigin)).toBe(expected);
  });

  it.each([
    ["what it can use", {}, 12],
    ["what it can use, with what is under way", { a: 10 }, 2],
    ["no more than the others leave", { b: 49 }, 1],
    ["nothing when it has more already", { a: 20 }, 0],
  ])("%s, when it can use 12 (R-X338)", (_, counts, expected) => {
    const own = createPlaces(underWayOf(counts as Record<string, number>), 50, () => 12).of({
      origin: ORIGIN,
      subscriptionId: "a",
      slow: false,
    });
    let got = 0;
    for (; own.isFree; got++) own.take();
    expect(got).toBe(expected);
  });

  it.each([
    ["retries alone: two thirds of the places", { new: 0, retries: 0 }, "retries", 34],
    ["what is new, beside two thirds: half of what it can use", { new: 0, retries: 34 }, "new", 6],
    ["… with what is new already", { new: 4, retries: 34 }, "new", 2],
    ["what is new, beside fewer retries than half", { new: 0, retries: 2 }, "new", 10],
    ["retries beside a backlog that has all that one subscription may have", { new: 40, retries: 0 }, "retries", 0],
    ["… once one place of it is free", { new: 39, retries: 0 }, "retries", 1],
    ["retries beside what is new, as far as it can use places", { new: 12, retries: 0 }, "retries", 26],
  ])("%s, when it can use 12 (R-X338)", (_, counts, whose, expected) => {
    const { new: fresh, retries } = counts;
    const underWay = [
      { origin: ORIGIN, subscriptionId: "a", integrationId: "i", count: fresh + retries, retries, slow: false },
    ];
    const own = createPlaces(underWay, 50, () => 12).of({
      origin: ORIGIN,
      subscriptionId: "a",
      slow: false,
      isRetry: whose === "retries",
    });
    let got = 0;
    for (; own.isFree; got++) own.take();
    expect(got).toBe(expected);
  });

  it.each([
    ["one", 1, "a", 1, 0],
    ["one of two", 2, "a", 1, 1],
    ["two of three", 3, "a", 2, 1],
    ["three of five", 5, "a", 3, 1],
    ["the one for slow ones", 3, "slow", 1, 0],
    ["one of two for slow ones", 5, "slow", 1, 1],
  ])("retries have %s of few places, beside what is new (R-X338)", (...row) => {
    const [, perOrigin, subscriptionId, retries, fresh] = row;
    const places = createPlaces([], perOrigin, () => 8);
    const grabs = (isRetry: boolean) => {
      const own = places.of({ origin: ORIGIN, subscriptionId, slow: subscriptionId === "slow", isRetry });
      let got = 0;
      for (; own.isFree; got++) own.take();
      return got;
    };
    expect([grabs(true), grabs(false)]).toEqual([retries, fresh]);
  });

  it("counts each origin for itself", () => {
    const places = createPlaces(underWayOf({ a: 50 }), 50);
    expect(places.of({ origin: ORIGIN, subscriptionId: "b", slow: false }).isFree).toBe(false);
    expect(places.of({ origin: "https://other.example", subscriptionId: "b", slow: false }).isFree).toBe(true);
  });

  it("names the origins of which every place is taken", () => {
    const elsewhere = {
      origin: "https://other.example",
      subscriptionId: "a",
      integrationId: "i",
      count: 2,
      slow: false,
    };
    expect(fullOrigins([...underWayOf({ a: 1, b: 2 }), elsewhere], 3)).toEqual([ORIGIN]);
  });

  it("however greedy those who come are: none exceeds the origin's places, slow ones never have more than half, and each newcomer finds one while any is free", () => {
    const anyName = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 12 }));
    fc.assert(
      fc.property(
        fc.array(anyName, { maxLength: 200, size: "max" }),
        fc.integer({ min: 2, max: 60 }),
        (greedy, perOrigin) => {
          const places = createPlaces([], perOrigin);
          const counts = new Map<string, number>();
          const sum = (isCounted: (name: string) => boolean) =>
            [...counts].reduce((total, [name, count]) => total + (isCounted(name) ? count : 0), 0);
          for (const [slow, number] of greedy) {
            const name = `${slow ? "slow" : "prompt"}${number}`;
            const own = places.of({ origin: ORIGIN, subscriptionId: name, slow });
            const isRoom = sum(() => true) < perOrigin;
            // A subscription without a place gets one, if its kind is not limited.
            expect(own.isFree || slow || (counts.get(name) ?? 0) > 0 || !isRoom).toBe(true);
            if (!own.isFree) continue;
            own.take();
            counts.set(name, (counts.get(name) ?? 0) + 1);
            expect(own.underWay).toBe(counts.get(name));
          }
          expect(sum(() => true)).toBeLessThanOrEqual(perOrigin);
          expect(sum((name) => name.startsWith("slow"))).toBeLessThanOrEqual(Math.max(1, Math.floor(perOrigin / 2)));
        },
      ),
    );
  });
});
