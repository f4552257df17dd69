import { readFileSync } from "node:fs";
import { titlesIn } from "../tools/papers/test-titles.ts";
import { citationsOf, numbersIn, undefinedOf } from "./support/citations.ts";

const PAPERS = ["docs/security-statements.md", "docs/fault-statements.md"];
/** A statement's number by itself: not S256, nor the F0 of a percent-encoded byte, nor the I9 of another word, nor W3C. */
const NUMBER = /(?<![\w%#-])[SFIW]\d{1,2}(?!\w)/g;

const places = PAPERS.flatMap((paper) => [...readFileSync(paper, "utf8").matchAll(/<a id="([sfiw]\d+)">/g)]);
const defined = new Set(places.map(([, id = ""]) => id.toUpperCase()));
const cited = citationsOf(NUMBER, "statements.test.ts");

describe("numbered statements that code, contracts and papers cite", () => {
  it("are all defined, each in one place", () => {
    expect(places).toHaveLength(defined.size);
    expect(undefinedOf(cited, defined)).toEqual([]);
  });

  it("are each cited, and a number that no paper defines is reported", () => {
    expect(cited.length).toBeGreaterThan(200);
    const planted = numbersIn("see S59, F51 and S12", NUMBER).map((number) => ({ file: "planted.ts", number }));
    expect(undefinedOf(planted, defined)).toEqual(["planted.ts: S59", "planted.ts: F51"]);
  });

  const named = new Set(titlesIn("test/**/*.test.ts").flatMap(({ title }) => numbersIn(title, NUMBER)));
  /** What concerns more than sign-on, whose statements `findable.test.ts` looks for, and the faults of deliveries: F9 to F14 and F26 to F40 by their ends. */
  const shown = [
    ...[...defined].filter((number) => /^[SW]/.test(number) && !/^S([12]?\d|3[0-6])$/.test(number)),
    ...["I1", "I2", "I3", "I4", "I5", "F9", "F14", "F15", "F26", "F40", "F41", "F42", "F50"],
  ];

  it("are each shown by a test that names them, and one that is not is reported", () => {
    expect(shown).toHaveLength(60);
    expect(shown.filter((number) => !named.has(number))).toEqual([]);
    expect(["S59", "W26"].filter((number) => !named.has(number))).toEqual(["S59", "W26"]);
  });
});
