import fc from "fast-check";
import { parseWeightedList } from "../../../src/runtime/basis/weighted-list.ts";

const shortly = (header: string) =>
  parseWeightedList(header).map(({ value, parameters, weight }) => [value, ...parameters, weight]);

describe("a list of what a client accepts (RFC 9110 §12.4.2, §12.5)", () => {
  it.each<[string, ReturnType<typeof shortly>]>([
    ["text/html", [["text/html", 1]]],
    [
      "de, en;q=0.5",
      [
        ["de", 1],
        ["en", 0.5],
      ],
    ],
    [
      "DE-AT ; Q=0.8 , *;q=0.001",
      [
        ["de-at", 0.8],
        ["*", 0.001],
      ],
    ],
    ["gzip \t; \tq=0", [["gzip", 0]]],
    [
      "br;q=1.000,br;q=0.",
      [
        ["br", 1],
        ["br", 0],
      ],
    ],
    ["text/html;level=1;q=0.4;x=Y", [["text/html", "level=1", "x=Y", 0.4]]],
    ["a;q=0.2;q=0.9", [["a", "q=0.9", 0.2]]],
  ])("%j", (header, members) => {
    expect(shortly(header)).toEqual(members);
  });

  it.each(["", ",", " , ;;; ,", ";q=1", "a;q=2", "a;q=0.1234", "a;q=-1", "a;q=one", "a;q=", "a;q=1.1", "a; q=0.5 x"])(
    "ignores what has no value, or a malformed weight: %j",
    (header) => {
      expect(shortly(header)).toEqual([]);
      expect(shortly(`${header},b;q=0.3`)).toEqual([["b", 0.3]]);
    },
  );

  it("has a weight from 0 to 1 for every member of any text", () => {
    const property = fc.property(fc.string({ unit: "binary" }), (header) =>
      parseWeightedList(header).every(({ value, weight }) => value !== "" && weight >= 0 && weight <= 1),
    );
    expect(() => fc.assert(property)).not.toThrow();
  });
});
