import fc from "fast-check";
import { editDistance, firstDifference } from "../../../src/runtime/basis/edit-distance.ts";

describe("edit distance", () => {
  const text = fc.string({ maxLength: 30 });

  it.each([
    ["kitten", "sitting", 3],
    ["", "abc", 3],
    ["abc", "abc", 0],
    ["flaw", "lawn", 2],
  ])("of %s and %s is %i", (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
  });

  it("is the same both ways, zero only between equals, and one for one edit", () => {
    fc.assert(
      fc.property(text, text, fc.nat(), (one, other, at) => {
        expect(editDistance(one, other)).toBe(editDistance(other, one));
        expect(editDistance(one, other) === 0).toBe(one === other);
        const place = one.length === 0 ? 0 : at % one.length;
        expect(editDistance(one, `${one.slice(0, place)}\u0001${one.slice(place)}`)).toBe(1);
      }),
    );
  });

  it("the first difference is the first position where two texts differ", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const at = firstDifference(one, other);
        expect(one.slice(0, at)).toBe(other.slice(0, at));
        expect(one === other || one[at] !== other[at]).toBe(true);
      }),
    );
  });
});
