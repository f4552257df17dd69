import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/** A row of the glossary's list “not used”. */
interface Banned {
  readonly words: readonly string[];
  /** Folders (with a slash at their end) and parts of names in which the words are allowed. */
  readonly exceptions: readonly string[];
}

interface Use {
  readonly file: string;
  readonly name: string;
  readonly word: string;
}

const bannedBy = (glossary: string): readonly Banned[] =>
  [...(glossary.split("\n## Not used\n")[1] ?? "").matchAll(/^\| ([a-z, ]+) \| [^|]* \|([^|]*)\|$/gm)]
    .filter(([, words]) => words !== "not used")
    .map(([, words = "", exceptions = ""]) => ({
      words: words.split(", "),
      exceptions: [...exceptions.matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one),
    }));

/** `toRoundStanding` → to, round, standing; `STANDING_KIND` → standing, kind. */
const wordsIn = (name: string): readonly string[] =>
  name.split(/[_\W]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((word) => word.toLowerCase());

/** Names that a file makes: of the file itself, and of what it declares. What a library or a generated file calls its things is not ours. */
function namesIn(file: string, source: string): readonly string[] {
  const own = file.replace(/^.*\//, "").replace(/\.\w+$/, "");
  if (file.endsWith(".proto")) return [own, ...declaredInProto(source)];
  if (file.endsWith(".yaml"))
    return [own, ...[...source.matchAll(/^\s*(?:- )?["']?([A-Za-z_][\w-]*)["']?:/gm)].map(([, key = ""]) => key)];
  const names = [own];
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node };
    if (isDeclaration(node) && name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)))
      names.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return names;
}

const read = new Map<string, readonly string[]>();

/** Of a file of the repository, which is parsed once. */
function namesInFile(file: string): readonly string[] {
  const names = read.get(file) ?? namesIn(file, readFileSync(file, "utf8"));
  read.set(file, names);
  return names;
}

const isDeclaration = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isPropertySignature(node) ||
  ts.isMethodSignature(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isBindingElement(node) ||
  ts.isEnumMember(node) ||
  ts.isAccessor(node) ||
  ts.isTypeParameterDeclaration(node);

const declaredInProto = (source: string): readonly string[] =>
  [
    ...source
      .replaceAll(/\/\/.*$/gm, "")
      .matchAll(
        /\b(?:message|enum|service|rpc|oneof)\s+(\w+)|^\s*(?:repeated |optional )?[\w.]+\s+(\w+)\s*=\s*\d+|^\s*([A-Z][A-Z0-9_]+)\s*=\s*\d+/gm,
      ),
  ].map(([, kind, field, value]) => kind ?? field ?? value ?? "");

function usesIn(file: string, names: readonly string[], banned: readonly Banned[]): readonly Use[] {
  return [...new Set(names)].flatMap((name) => {
    const ofName = new Set(wordsIn(name));
    return banned
      .filter(
        ({ exceptions }) =>
          !exceptions.some((one) => (one.includes("/") ? file.startsWith(one) : plain(name).includes(plain(one)))),
      )
      .flatMap(({ words }) => words.filter((word) => ofName.has(word)).map((word) => ({ file, name, word })));
  });
}

/** What the third column of the glossary's tables has in code font. */
const namedInCode = (glossary: string): readonly string[] =>
  [...glossary.matchAll(/^\|[^|\n]*\|[^|\n]*\|([^|\n]*)\|$/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );

/** True for a name with a dot or slash of a file or folder, from the root or below, and for names that `declared` has. */
function isFound(name: string, declared: ReadonlySet<string>, paths: readonly string[]): boolean {
  if (name.includes("/") || name.endsWith(".ts")) {
    const pattern = name.replace(/\/$/, "").replaceAll(/<\w+>|\*|\./g, (part) => (part === "." ? "\\." : "[^/]*"));
    const anchored = new RegExp(`(^|/)${pattern}(/|$)`);
    return paths.some((path) => anchored.test(path));
  }
  return name.split(".").every((part) => declared.has(part));
}

/** The same for every way to write a name. */
const plain = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase();

const shown = ({ file, name, word }: Use): string => `${file}: ${name} (${word})`;

describe("names of code in the glossary", () => {
  const sources = ["{src,workflows,desk/src,tools,test,harness}/**/*.ts", "proto/**/*.proto"].flatMap((files) =>
    globSync(files),
  );
  const declared = new Set(sources.flatMap(namesInFile));
  const paths = [...sources, ...globSync(["openapi/*", "sdks/*/*", "generated/*", "generated/contracts/*"])];
  const missing = (glossary: string) => namedInCode(glossary).filter((name) => !isFound(name, declared, paths));

  it("are declared in the sources, or are files and folders", () => {
    expect(missing(readFileSync("docs/glossary.md", "utf8"))).toEqual([]);
  });

  it.each(["AttemptNobodyMade", "Paces.isNobodys", "sign-on/nowhere", "*-nothings.ts"])("are missed: %s", (name) => {
    expect(missing(`| word | means | \`Paces\`, \`${name}\` |`)).toEqual([name]);
  });
});

describe("words that the glossary does not use", () => {
  const banned = bannedBy(readFileSync("docs/glossary.md", "utf8"));
  const uses = ["{src,workflows}/**/*.ts", "proto/**/*.proto", "openapi/**/*.yaml"]
    .flatMap((files) => globSync(files, { exclude: ["openapi/baseline"] }))
    .flatMap((file) => usesIn(file, namesInFile(file), banned));

  it("are those of the glossary's list", () => {
    expect(banned.flatMap(({ words }) => words)).toEqual(
      expect.arrayContaining(["standing", "held", "verdict", "context"]),
    );
  });

  it("are absent from names of code, contracts and gRPC", () => {
    expect(uses.map(shown)).toEqual([]);
  });
});

describe("the check of words finds what is planted", () => {
  const banned: readonly Banned[] = [{ words: ["standing", "stood"], exceptions: ["src/old/", "LongStanding"] }];
  const found = (file: string, source: string): readonly string[] =>
    usesIn(file, namesIn(file, source), banned).map(shown);

  it.each([
    ["a function", "src/a.ts", "export function toRoundStanding() {}", "src/a.ts: toRoundStanding (standing)"],
    ["a constant", "workflows/a.ts", "const STANDING_KIND = 1;", "workflows/a.ts: STANDING_KIND (standing)"],
    ["a member of a type", "src/a.ts", "interface A { readonly standing: string }", "src/a.ts: standing (standing)"],
    ["a parameter", "src/a.ts", "const f = (stood: string) => 1;", "src/a.ts: stood (stood)"],
    ["a name taken apart", "src/a.ts", "const { a: stood } = b;", "src/a.ts: stood (stood)"],
    ["an element of a list", "src/a.ts", "const [stood] = b;", "src/a.ts: stood (stood)"],
    ["a private member", "src/a.ts", "class A { #standing = 1 }", "src/a.ts: #standing (standing)"],
    ["an accessor", "src/a.ts", "const a = { get standing() { return 1; } };", "src/a.ts: standing (standing)"],
    ["a parameter of a type", "src/a.ts", "type A<Standing> = Standing;", "src/a.ts: Standing (standing)"],
    ["a file", "src/round-standing.ts", "export const a = 1;", "src/round-standing.ts: round-standing (standing)"],
    ["a message", "proto/a.proto", "message Standing {}", "proto/a.proto: Standing (standing)"],
    ["a field", "proto/a.proto", "  repeated A round_standing = 2;", "proto/a.proto: round_standing (standing)"],
    ["a value", "proto/a.proto", "  STANDING_KIND_A = 1;", "proto/a.proto: STANDING_KIND_A (standing)"],
    [
      "a key of a contract",
      "openapi/a.yaml",
      "    standing:\n      type: string",
      "openapi/a.yaml: standing (standing)",
    ],
  ])("in %s", (_, file, source, use) => {
    expect(found(file, source)).toEqual([use]);
  });

  it.each([
    ["a comment", "src/a.ts", "// standing\nconst a = 1;"],
    ["a comment in proto", "proto/a.proto", "// standing = 1"],
    ["a text", "src/a.ts", 'const a = "standing";'],
    ["a longer word", "src/a.ts", "const outstanding = 1;"],
    ["a name of somebody else", "src/a.ts", 'import { Standing } from "x"; new Standing();'],
    ["a folder that may", "src/old/a.ts", "const standing = 1;"],
    ["a name that may", "src/a.ts", "const LONG_STANDING = 1; const longStandingOrder = 1;"],
  ])("and ignores %s", (_, file, source) => {
    expect(found(file, source)).toEqual([]);
  });
});
