import { readFileSync } from "node:fs";
import { citationsOf, numbersIn, undefinedOf } from "./support/citations.ts";

const PAPERS = ["docs/security-statements.md", "docs/fault-statements.md"];
/** A statement's number by itself: not S256, nor the F0 of a percent-encoded byte, nor the I9 of another word. */
const NUMBER = /(?<![\w%#-])[SFI]\d{1,2}(?!\w)/g;

const places = PAPERS.flatMap((paper) => [...readFileSync(paper, "utf8").matchAll(/<a id="([sfi]\d+)">/g)]);
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
});
