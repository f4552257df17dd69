import { folded } from "../../../src/runtime/basis/terminal-lines.ts";

const TERMINAL = { isTTY: true, columns: 40 };

describe("a line for a terminal", () => {
  it("that fits stays as it is, the spaces between its columns too", () => {
    const candidate = "  person_AAAA  Maren Dahl   a@b.example";
    expect(folded(candidate, TERMINAL)).toBe(candidate);
  });

  it("that is too long is folded between words, below where it began", () => {
    const lines = folded("  - issuer is missing: set it to the public https origin", TERMINAL).split("\n");
    expect(lines).toEqual(["  - issuer is missing: set it to the", "    public https origin"]);
  });

  it("stays as it is where no terminal is, or one of unknown size", () => {
    const long = "word ".repeat(30).trim();
    expect([folded(long, {}), folded(long, { isTTY: true, columns: 0 })]).toEqual([long, long]);
  });
});
