import { globSync, readFileSync } from "node:fs";

const PAPERS = ["docs/security-statements.md", "docs/fault-statements.md"];
const CITING = [
  "{src,workflows,test,tools,bench}/**/*.ts",
  "{openapi,proto}/**/*.{yaml,proto}",
  "*.md",
  "docs/**/*.md",
];
/** A statement's number by itself: not S256, nor the F0 of a percent-encoded byte, nor the I9 of another word. */
const NUMBER = /(?<![\w%#-])[SFI]\d{1,2}(?!\w)/g;

const defined = new Set(
  PAPERS.flatMap((paper) => [...readFileSync(paper, "utf8").matchAll(/<a id="([sfi]\d+)">/g)]).map(([, id = ""]) =>
    id.toUpperCase(),
  ),
);
const cited = CITING.flatMap((files) => globSync(files))
  .filter((file) => !file.endsWith("statements.test.ts"))
  .flatMap((file) => [...readFileSync(file, "utf8").matchAll(NUMBER)].map(([number]) => ({ file, number })));

describe("numbered statements that code, contracts and papers cite", () => {
  it("are all defined, each in one place", () => {
    const places = PAPERS.flatMap((paper) => [...readFileSync(paper, "utf8").matchAll(/<a id="([sfi]\d+)">/g)]);
    expect(places).toHaveLength(defined.size);
    expect(cited.filter(({ number }) => !defined.has(number))).toEqual([]);
  });

  it("are cited at all, and a number that no paper defines is known as such", () => {
    expect(cited.length).toBeGreaterThan(200);
    expect([..."see S59, F51 and S12".matchAll(NUMBER)].map(([one]) => defined.has(one))).toEqual([false, false, true]);
  });
});
