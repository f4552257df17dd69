import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/**
 * Repetitions of a group in which something is repeated, whose rounds all begin with a character that nothing repeated in the group can
 * be: a text is cut into rounds in one way only.
 */
const CUT_IN_ONE_WAY: readonly string[] = [
  // A round begins with a separator.
  '/(<a [^>]*href="\\/docs(?:\\/[a-z0-9-]+)*)(?=["#])/g',
  "/\\b([A-Z]+(?:_[A-Z]+)+)\\b|\\(([^)]*)\\)|\\.(?=\\s|$)/g",
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

/** A part of an expression: one character of a set, a group, or a place between characters. */
interface Part {
  readonly set?: string;
  readonly group?: readonly (readonly Part[])[];
  readonly isOptional: boolean;
  readonly isUnbounded: boolean;
}

const ATOM = /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|.)|.)/is;
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;
const PLACES: readonly string[] = ["^", "$", "\\b", "\\B"];

/** The alternatives of an expression, or of a group from behind its parenthesis on. */
function alternativesOf(rest: { text: string }): readonly (readonly Part[])[] {
  const alternatives: Part[][] = [[]];
  const take = (pattern: RegExp): string => {
    const [taken = ""] = pattern.exec(rest.text) ?? [];
    rest.text = rest.text.slice(taken.length);
    return taken;
  };
  while (rest.text !== "" && !rest.text.startsWith(")")) {
    if (take(/^\|/) !== "") {
      alternatives.push([]);
      continue;
    }
    const opened = take(/^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/);
    const group = opened === "" ? undefined : alternativesOf(rest);
    const set = group === undefined ? take(ATOM) : take(/^\)/);
    const quantifier = take(QUANTIFIER);
    const isPlace = group === undefined ? PLACES.includes(set) : /[=!]$/.test(opened);
    alternatives.at(-1)?.push({
      ...(isPlace ? {} : group === undefined ? { set } : { group }),
      isOptional: isPlace || /^(?:[*?]|\{0)/.test(quantifier),
      isUnbounded: /^(?:[*+]|\{\d+,\})/.test(quantifier),
    });
  }
  return alternatives;
}

const CHARACTERS = Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code));

/** True when some character is in both sets. */
function share(one: string, other: string, flags: string): boolean {
  const [inOne, inOther] = [one, other].map((set) => new RegExp(`^${set}$`, flags.replaceAll(/[gy]/g, "")));
  return CHARACTERS.some((character) => inOne?.test(character) && inOther?.test(character));
}

/**
 * True when two unbounded repetitions that share a character have nothing between them that must be there: where the expression fails
 * behind them, every cut of a text between the two is tried.
 */
function repeatsTwice(literal: string): boolean {
  const [, text = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(literal) ?? [];
  const isFound = (parts: readonly Part[]): boolean =>
    parts.some(({ set, group, isUnbounded }, index) => {
      if (group?.some(isFound)) return true;
      if (set === undefined || !isUnbounded) return false;
      for (const next of parts.slice(index + 1)) {
        if (next.set !== undefined && next.isUnbounded && share(set, next.set, flags)) return true;
        if (!next.isOptional) return false;
      }
      return false;
    });
  return alternativesOf({ text }).some(isFound);
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

  it("have no two repetitions of one character that nothing parts (S42)", () => {
    expect(literals.filter(repeatsTwice)).toEqual([]);
  });

  it.each(["/^\\s*(identity)?\\s*$/i", "/a+a*b/", "/x(?:[a-z]*\\w+)?;/", "/\\d+\\b\\.?[0-9]{2,}x/"])(
    "are found to repeat twice: %s",
    (literal) => {
      expect(repeatsTwice(literal)).toBe(true);
    },
  );

  it.each(["/^\\s*identity\\s*$/", "/a+b*c+/", "/a*a?b/", "/[*]+\\+x/"])(
    "are let pass, repeated once: %s",
    (literal) => {
      expect(repeatsTwice(literal)).toBe(false);
    },
  );

  it.each(["/^(a+)$/", "/(?:ab)*x*/", "/[(+)]*/", "/\\(a+\\)*/", "/(a{1,3})?/"])("are let pass: %s", (literal) => {
    expect(repeatsRepetition(literal)).toBe(false);
  });
});
