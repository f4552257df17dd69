import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/**
 * Repetitions of a group in which something is repeated, whose rounds all begin with a character that nothing repeated in the group can
 * be: a text is cut into rounds in one way only.
 */
const CUT_IN_ONE_WAY: readonly string[] = [
  // A round begins with a separator.
  '/(<a [^>]*href="\\/docs(?:\\/[a-z0-9-]+)*)(?=["#])/g',
  "/\\b([A-Z]+(?:_[A-Z]+)+)(?:[^.()]*?)\\(([^)]*)\\)/g",
  "/\\b[a-z]+(?:_[a-z]+)+\\b/g",
  "/`([a-z]+)`|\\b[a-z]+(?:_[a-z0-9]+)+\\b/g",
  "/^(?:\\[([\\da-f:.]+)\\]|\\w+(?:-+\\w+)*(?:\\.\\w+(?:-+\\w+)*)*\\.?)(?::(\\d{1,5}))?$/i",
  "/^[a-z0-9]+(?:-[a-z0-9]+)*$/",
  "/^[a-z0-9_]+([.:-][a-z0-9_]+)*$/",
  "/^[a-z][a-z0-9+-]*(\\.[a-z0-9+-]+)+:/",
  "/^[a-z_]+(\\.[a-z_]+)+$/",
  // A parenthesis that is closed begins one kind of round, one that is not another, and no third has any.
  "/^(?:\\([^()]*\\)|\\((?![^()]*\\))|[.:;](?!\\s|$)|[^.:;(])*?[.:;](?=\\s|$)/s",
];

/** The regular expressions that a file has as literals. */
function literalsIn(file: string): readonly string[] {
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest));
  return found;
}

/** True when a group that has an unbounded repetition is repeated without a bound itself. */
function repeatsRepetition(literal: string): boolean {
  const plain = literal.replaceAll(/\\./g, "x").replaceAll(/\[[^\]]*\]/g, "x");
  const groups = [false];
  for (let at = 0; at < plain.length; at++) {
    const isUnbounded = /^(?:[+*]|\{\d+,\})/.test(plain.slice(at + 1));
    if (plain[at] === "(") groups.push(false);
    else if (plain[at] === ")") {
      const hasRepetition = groups.pop() === true;
      if (hasRepetition && isUnbounded) return true;
      groups[groups.length - 1] ||= hasRepetition || isUnbounded;
    } else if (isUnbounded) groups[groups.length - 1] = true;
  }
  return false;
}

describe("regular expressions of the program", () => {
  const literals = globSync(["src/**/*.ts", "workflows/**/*.ts", "desk/src/**/*.ts"]).flatMap(literalsIn);

  it("repeat no repetition, but where a text can be cut into its rounds in one way only (S42)", () => {
    expect([...new Set(literals.filter(repeatsRepetition))].toSorted()).toEqual(CUT_IN_ONE_WAY.toSorted());
    expect(literals.length).toBeGreaterThan(200);
  });

  it.each(["/^(a+)+$/", "/(?:\\w+-?)*x/", "/^((ab)*)*/", "/(x{2,})+/"])("are found by this test: %s", (literal) => {
    expect(repeatsRepetition(literal)).toBe(true);
  });

  it.each(["/^(a+)$/", "/(?:ab)*x*/", "/[(+)]*/", "/\\(a+\\)*/", "/(a{1,3})?/"])("are let pass: %s", (literal) => {
    expect(repeatsRepetition(literal)).toBe(false);
  });
});
