import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { EXPLAINED_MUTANTS } from "../../tools/mutants/explained.ts";
import { balance, type JudgedMutant, judge } from "../../tools/mutants/survivors.ts";
import { MUTATION_TARGETS } from "../../tools/mutants/targets.ts";

describe("the targets of make mutants (decision 0044)", () => {
  const globs = MUTATION_TARGETS.flatMap(({ name, mutate, tests }) =>
    [...mutate, ...tests].map((glob) => [name, glob]),
  );

  it.each(globs)("%s: %s names an existing file", (_, glob = "") => {
    expect(globSync(glob)).not.toEqual([]);
  });

  it("have names of their own, which docs/mutants.md has scores for", () => {
    const names = MUTATION_TARGETS.map(({ name }) => name);
    const paper = readFileSync("docs/mutants.md", "utf8");
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !paper.includes(`\n| ${name} |`))).toEqual([]);
  });

  it("contain every explained mutant", () => {
    const changed = new Set(MUTATION_TARGETS.flatMap(({ mutate }) => mutate.flatMap((glob) => globSync(glob))));
    const sources = new Map([...changed].map((path) => [basename(path), readFileSync(path, "utf8")]));
    const isThere = (file: string, code: string) => sources.get(file)?.replaceAll(/\s+/g, " ").includes(code) === true;
    const lost = EXPLAINED_MUTANTS.flatMap(({ file, changes }) =>
      changes.filter(([code]) => !isThere(file, code)).map(([code]) => `${file}: ${code}`),
    );
    expect(lost).toEqual([]);
  });
});

describe("the result of a mutant (decision 0044)", () => {
  const TEXT = "const one = 1;\nif (one > 0 &&\n    one < 2) go();\n";
  const mutant = (status: string, line: number, from: number, to: number, endLine = line): JudgedMutant => ({
    fileName: "/sandbox/src/rule.ts",
    status,
    replacement: "true",
    location: { start: { line, column: from }, end: { line: endLine, column: to } },
  });
  const judged = (...mutants: readonly JudgedMutant[]) => judge(mutants, () => TEXT);

  it("counts killed and timed out ones as noticed, and omits those that could not run", () => {
    const all = ["Killed", "Timeout", "Killed", "Survived", "CompileError", "Ignored", "RuntimeError"];
    const { noticed, tookTooLong, survivors, score } = judged(...all.map((status) => mutant(status, 1, 7, 10)));
    expect([noticed, tookTooLong, survivors.length, score]).toEqual([3, 1, 1, 75]);
    expect(judged(mutant("NoCoverage", 1, 7, 10)).score).toBe(0);
    expect(judged().score).toBe(100);
  });

  it("shows a survivor's code in one line, also when it has several", () => {
    const { survivors } = judged(mutant("Survived", 1, 7, 10), mutant("NoCoverage", 2, 5, 12, 3));
    expect(survivors.map(({ line, code }) => [line, code])).toEqual([
      [1, "one"],
      [2, "one > 0 && one < 2"],
    ]);
  });

  it("compares survivors with explanations of the same file, code and change, and lists those without a partner", () => {
    const { survivors } = judged(mutant("Survived", 1, 7, 10), mutant("Survived", 1, 13, 14));
    const because = "It is the same.";
    const explanations = [
      { file: "rule.ts", because, changes: [["one", "true"] as const, ["one", "false"] as const] },
      { file: "other.ts", because, changes: [["1", "true"] as const] },
    ];
    const { explained, unexplained, idle } = balance(survivors, explanations, ["/sandbox/src/rule.ts"]);
    expect([explained, unexplained].map((some) => some.map(({ code }) => code))).toEqual([["one"], ["1"]]);
    expect(idle).toEqual([{ file: "rule.ts", code: "one", replacement: "false" }]);
  });
});
