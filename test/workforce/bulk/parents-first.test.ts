import { parentsFirst } from "../../../src/workforce/bulk/parents-first.ts";

const order = (entries: readonly { readonly id: string; readonly parent: string | null }[]) =>
  parentsFirst(entries, ({ parent }) => parent).map(({ id }) => id);

describe("the order in which an export has units and users (R-X69)", () => {
  it("is layer by layer, each by id; what has no known parent, or forms a circle, comes last", () => {
    const lines = [
      { id: "a", parent: "z" },
      { id: "b", parent: "c" },
      { id: "c", parent: "b" },
      { id: "d", parent: "gone" },
      { id: "m", parent: "a" },
      { id: "y", parent: null },
      { id: "z", parent: null },
    ];
    expect(order(lines.toReversed())).toEqual(["y", "z", "a", "m", "b", "c", "d"]);
  });

  it("holds for more entries below one, and for more layers, than a call has arguments", () => {
    const count = 200_000;
    const ids = Array.from({ length: count }, (_, index) => `user_${String(index).padStart(6, "0")}`);
    const broad = ids.map((id, index) => ({ id, parent: index === 0 ? null : (ids[0] ?? "") }));
    const deep = ids.map((id, index) => ({ id, parent: index === 0 ? null : (ids[index - 1] ?? "") }));
    expect(order(broad)).toEqual(ids);
    expect(order(deep)).toEqual(ids);
  });
});
