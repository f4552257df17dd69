import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const ROW = /^\| ([^|]*\?) \| `([^`|]+)`[^|]* \| `(\w+)` \|$/gm;

interface Row {
  readonly question: string;
  readonly file: string;
  readonly name: string;
}

const rowsOf = (page: string): readonly Row[] =>
  [...page.matchAll(ROW)].map(([, question = "", file = "", name = ""]) => ({ question, file, name }));

/** As a function, a constant, or a method of what a function returns. */
const declares = (source: string, name: string): boolean =>
  new RegExp(`^(export )?(async )?(function|const) ${name}\\b|^ +(async )?${name}\\([^()]*\\) \\{$`, "m").test(source);

/** Why a row leads nowhere; `undefined` when it does not. */
function faultOf({ file, name }: Row): string | undefined {
  const path = join(ROOT, file);
  if (!existsSync(path)) return `${file} does not exist`;
  return declares(readFileSync(path, "utf8"), name) ? undefined : `${file} does not declare ${name}`;
}

describe("the table “if you ask” of docs/architecture.md", () => {
  const page = readFileSync(join(ROOT, "docs", "architecture.md"), "utf8");
  const rows = rowsOf(page);

  it("is read completely", () => {
    const [, table = ""] = page.split("| if you ask … |");
    const lines = table.split("\n\n")[0]?.split("\n").slice(2) ?? [];
    expect(rows.map(({ question }) => question)).toEqual(lines.map((line) => line.split(" | ")[0]?.slice(2)));
    expect(rows.length).toBeGreaterThan(25);
  });

  it.each(rows)("$question: $file declares $name", (row) => {
    expect(faultOf(row)).toBeUndefined();
  });

  it.each([
    ["a file that does not exist", "src/nowhere.ts", "readConfig", "src/nowhere.ts does not exist"],
    [
      "a function that is declared elsewhere",
      "src/config.ts",
      "matchRedirectUri",
      "src/config.ts does not declare matchRedirectUri",
    ],
    [
      "a function that the file only uses",
      "src/config.ts",
      "examineSettings",
      "src/config.ts does not declare examineSettings",
    ],
  ])("finds %s", (_, file, name, fault) => {
    expect(rowsOf(`| planted? | \`${file}\` | \`${name}\` |`).map(faultOf)).toEqual([fault]);
  });
});
