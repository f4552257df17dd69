import fc from "fast-check";
import { groups } from "../../../src/sign-on/throttling/groups.ts";

describe("ids in groups, of which the largest is found at once (R-X436)", () => {
  const steps = fc.array(
    fc.record({
      adds: fc.boolean(),
      group: fc.constantFrom("a", "b", "c", "d"),
      id: fc.integer({ min: 0, max: 6 }).map(String),
    }),
    { maxLength: 80, size: "max" },
  );

  it("are those of a plain list, whatever comes and goes: by group the oldest first, and the largest group", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const tested = groups();
        const plain = new Map<string, string[]>(["a", "b", "c", "d"].map((name) => [name, []]));
        for (const { adds, group, id } of sequence) {
          const others = (plain.get(group) ?? []).filter((other) => other !== id);
          const known = others.length < (plain.get(group) ?? []).length;
          if (adds && !known) tested.add(group, id);
          if (!adds) tested.remove(group, id);
          if (adds !== known) plain.set(group, adds ? [...others, id] : others);
          expect([...tested.of(group)]).toEqual(plain.get(group));
          const most = Math.max(...[...plain.values()].map((ids) => ids.length));
          expect(tested.largest().size).toBe(most);
        }
      }),
    );
  });

  it("of several of one size, the one that has had it for longest is the largest", () => {
    const tested = groups();
    for (const [group, id] of [
      ["a", "1"],
      ["b", "2"],
      ["b", "3"],
      ["a", "4"],
    ] as const)
      tested.add(group, id);
    expect([...tested.largest()]).toEqual(["2", "3"]);
    tested.remove("b", "2");
    expect([...tested.largest()]).toEqual(["1", "4"]);
    tested.remove("a", "1");
    expect([...tested.largest()]).toEqual(["3"]);
  });
});
