import { titlesOf } from "../../../tools/papers/test-titles.ts";

describe("titles of tests", () => {
  it("are those of suites and tests that expect something", () => {
    const source = `
      describe("a suite", () => {
        it("a test", () => expect(1).toBe(1));
        it(\`of \${many} parts\`, async () => expectRefusal());
      });
      describeSignOn("another suite", (scene) => { it("a", () => { expect(scene).toBe(1); }); }, { issuer });
      describeWith(compiler, "a part", () => { it("b", () => expect(1).toBe(1)); });`;
    expect(titlesOf(source)).toEqual(["a suite", "a test", "of  parts", "another suite", "a", "a part", "b"]);
  });

  it("are given for each row of a table", () => {
    const source = `
      it.each(["x", "y"])("letter %s", (one) => expect(one).toBe("x"));
      it.each<[string, number]>([["one", 1], ["two", 2]])("%s is %d", (_, number) => expect(number).toBe(1));
      it.each(ROWS)("row %s", (row) => expect(row).toBe(1));`;
    expect(titlesOf(source)).toEqual(["letter x", "letter y", "one is %d", "two is %d", "row %s"]);
  });

  it.each([
    ["skipped", `it.skip("a", () => expect(1).toBe(1));`],
    ["to be written", `it.todo("a");`],
    ["empty", `it("a", () => {});`],
    ["a comment", `// it("a", () => expect(1).toBe(1));`],
    ["something else", `expect("a").toBe(1);`],
  ])("omit what is %s", (_, source) => {
    expect(titlesOf(source)).toEqual([]);
  });
});
