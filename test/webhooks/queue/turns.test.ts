import fc from "fast-check";
import { createPlaces } from "../../../src/webhooks/queue/places.ts";
import { createTurns, type Line } from "../../../src/webhooks/queue/turns.ts";
import { createWorkerPlaces } from "../../../src/webhooks/queue/worker-places.ts";

/** A line of each: its origin, subscription and integration are named alike unless the arguments say otherwise. */
const lineOf = (name: string, more: Partial<Line> = {}): Line => ({
  lane: `https://${name}.example`,
  origin: `https://${name}.example`,
  subscriptionId: name,
  integrationId: name,
  slow: false,
  unproven: false,
  ...more,
});

const linesOf = (count: number, more: Partial<Line> = {}): Line[] =>
  Array.from({ length: count }, (_, index) => lineOf(`o${index}`, more));

/** Places for lines of which so many are under way. */
const placesFor = (lines: readonly Line[], underWay: readonly number[], perOrigin: number) =>
  createPlaces(
    lines.map((line, index) => ({ ...line, count: underWay[index] ?? 0 })),
    perOrigin,
  );

const given = (lines: readonly Line[], underWay: readonly number[], limit: number, perOrigin: number) => {
  const shares = createTurns().share(lines, placesFor(lines, underWay, perOrigin), { limit, unprovenLimit: limit });
  return lines.map((line) => shares.get(line) ?? 0);
};

describe("turns (R-X305)", () => {
  describe("within an integration the subscription with the fewest under way comes first", () => {
    it.each([
      ["one takes all that it may", [0], 50, 100, [50]],
      ["one takes what is left for it", [35], 50, 50, [5]],
      ["equal ones share equally", [0, 0, 0], 6, 50, [2, 2, 2]],
      ["what does not go up goes to the first ones", [0, 0, 0], 5, 50, [2, 2, 1]],
      ["who has the fewest under way comes first", [25, 0, 25], 10, 50, [0, 10, 0]],
      ["until they are level", [3, 0], 7, 50, [2, 5]],
      ["the only place goes to who has none", [49, 1, 0], 1, 50, [0, 0, 1]],
      ["a full origin gets nothing", [50, 50], 10, 50, [0, 0]],
      ["no subscription gets nothing", [], 10, 50, []],
    ])("%s", (_, underWay, limit, perOrigin, expected) => {
      expect(given(linesOf(underWay.length, { integrationId: "one" }), underWay, limit, perOrigin)).toEqual(expected);
    });
  });

  it("integrations take turns, however many subscriptions one has and however much is under way to it", () => {
    const many = Array.from({ length: 20 }, (_, index) => lineOf(`many${index}`, { integrationId: "many" }));
    const one = lineOf("one");
    const shares = createTurns().share([...many, one], createPlaces([{ ...one, count: 9 }], 50), {
      limit: 20,
      unprovenLimit: 20,
    });
    expect(shares.get(one)).toBe(10);
  });

  it("remembers whose turn it was: claims of one place go round", () => {
    const turns = createTurns();
    const lines = linesOf(5);
    const order = Array.from({ length: 10 }, () => {
      const shares = turns.share(lines, createPlaces([], 50), { limit: 1, unprovenLimit: 1 });
      return [...shares.keys()].map(({ subscriptionId }) => subscriptionId);
    });
    expect(order.flat()).toEqual(["o0", "o1", "o2", "o3", "o4", "o0", "o1", "o2", "o3", "o4"]);
  });

  it("passes over no slow line for ever whose integration's turns another host takes (R-X305)", () => {
    const at = (host: string, integrationId: string, slow: boolean) =>
      lineOf(`${host}${integrationId}`, { origin: `https://${host}.example`, integrationId, slow });
    const late = at("b", "1", true);
    const lines = [at("a", "1", false), at("b", "2", true), late, at("b", "3", true)];
    const turns = createTurns();
    // Everything ends between two claims, and slow ones may have two of the four places.
    const rounds = Array.from({ length: 12 }, () =>
      turns.share(lines, createPlaces([], 4), { limit: 3, unprovenLimit: 3 }),
    );
    expect(rounds.filter((shares) => shares.has(late)).length).toBeGreaterThan(3);
  });

  describe("of a line whose host others fill before its integration's turn (R-X305)", () => {
    const at = (name: string, host: string, integrationId: string) =>
      lineOf(name, { origin: `https://${host}.example`, integrationId });
    const claiming = (perOrigin = 1, underWay: readonly (Line & { readonly count: number })[] = []) => {
      const turns = createTurns();
      return (lines: readonly Line[], limit: number) => {
        const shares = turns.share(lines, createPlaces(underWay, perOrigin), { limit, unprovenLimit: limit });
        return [...shares.keys()].map(({ subscriptionId }) => subscriptionId);
      };
    };
    const late = at("late", "host", "one");
    const filling = at("filling", "host", "two");

    it("several are owed by the longest time since their last turn", () => {
      const later = at("later", "other", "one");
      const all = [filling, at("filling too", "other", "two"), at("free", "free", "one"), later, late];
      const claim = claiming();
      expect([claim([late], 1), claim([later], 1)]).toEqual([["late"], ["later"]]);
      expect(claim(all, 3)).toEqual(["filling", "free", "filling too"]);
      expect(claim(all, 1)).toEqual(["late"]);
    });

    it.each([
      ["its integration had no other turn", [filling, at("next", "free", "three"), late], 1, "next", claiming()],
      [
        "something of it was under way",
        [filling, at("free", "free", "one"), late],
        2,
        "filling",
        claiming(2, [{ ...late, count: 1 }]),
      ],
      ["its host has places", [at("first", "a", "one"), at("next", "b", "two"), late], 1, "next", claiming()],
    ])("nothing is owed where %s", (_, lines, limit, next, claim) => {
      expect(claim(lines, limit)).not.toContain("late");
      expect(claim(lines, 1)).toEqual([next]);
    });
  });

  it("gives no integration more of a worker's places than are free there (R-X387)", () => {
    const workerPlaces = createWorkerPlaces([], { free: { all: 3, unproven: 3 }, isProven: () => true });
    const wanted = { limit: 10, unprovenLimit: 10, workerPlaces };
    const shares = createTurns().share([lineOf("one")], createPlaces([], 50), wanted);
    expect([...shares.values()]).toEqual([3]);
  });

  it("gives unproven lines no more than their limit, and the rest to others (R-X306)", () => {
    const unproven = Array.from({ length: 30 }, (_, index) => lineOf(`dead${index}`, { unproven: true }));
    const proven = lineOf("alive");
    const share = (unprovenLimit: number) => {
      const shares = createTurns().share([...unproven, proven], createPlaces([], 50), { limit: 20, unprovenLimit });
      return [unproven.reduce((sum, line) => sum + (shares.get(line) ?? 0), 0), shares.get(proven) ?? 0];
    };
    expect([share(0), share(3), share(20)]).toEqual([
      [0, 20],
      [3, 17],
      [20, 0],
    ]);
  });

  it("whatever is under way and ends: who may have a place gets one within as many places as there are lines", () => {
    const anyLine = fc.record({
      origin: fc.integer({ min: 0, max: 3 }),
      integration: fc.integer({ min: 0, max: 4 }),
      slow: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(anyLine, { minLength: 1, maxLength: 25 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.array(fc.nat(), { maxLength: 20 })), {
          minLength: 40,
          maxLength: 80,
        }),
        fc.integer({ min: 4, max: 20 }),
        (drawn, claims, perOrigin) => {
          const lines = drawn.map(({ origin, integration, slow }, index) =>
            lineOf(`s${index}`, { origin: `https://${origin}.example`, integrationId: `${integration}`, slow }),
          );
          const turns = createTurns();
          let underWay: Line[] = [];
          /** How many others had places since a line that may have one had none under way. */
          const passed = new Map<Line, number>();
          for (const [limit, ending] of claims) {
            for (const index of ending) underWay = underWay.filter((_, at) => at !== index % (underWay.length || 1));
            const places = createPlaces(
              underWay.map((line) => ({ ...line, count: 1 })),
              perOrigin,
            );
            const waiting = lines.filter((line) => !underWay.includes(line) && places.of(line).isFree);
            const shares = turns.share(lines, places, { limit, unprovenLimit: limit });
            const count = [...shares.values()].reduce((sum, share) => sum + share, 0);
            for (const line of lines) {
              const isPassed = waiting.includes(line) && !shares.has(line);
              passed.set(line, isPassed ? (passed.get(line) ?? 0) + count : 0);
              // Each integration's turn comes within five places, and there each subscription's within all.
              expect(passed.get(line)).toBeLessThanOrEqual(5 * lines.length + limit);
            }
            for (const [line, share] of shares) underWay.push(...Array.from({ length: share }, () => line));
          }
        },
      ),
    );
  });
});
