import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A decision on what the specification leaves open, as its heading in docs/rulings/ gives it. */
export interface Ruling {
  readonly number: string;
  /** ● works, ◐ works in part, ○ not built yet, → another ruling says it. */
  readonly mark: "●" | "◐" | "○" | "→";
  /** The ruling that says it now; of → alone. */
  readonly seeNumber: string | undefined;
  readonly title: string;
  /** File name without extension. */
  readonly area: string;
}

export const RULINGS_FOLDER = join("docs", "rulings");

/** A ruling's number in running text: a word by itself. */
export const RULING_NUMBER = /(?<![\w-])R-[A-Z]\d+(?!\w)/g;

const HEADING = /^<a id="(r-[a-z]\d+)"><\/a>\n\n## (R-[A-Z]\d+) ([●◐○→])(?: (R-[A-Z]\d+))? (\S.*)$/gm;

/** Names of the area files, the index left out, in alphabetical order. */
export const areaFiles = (folder: string = RULINGS_FOLDER): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted();

/** Every ruling of the folder, in the order of its files. */
export const readRulings = (folder: string = RULINGS_FOLDER): readonly Ruling[] =>
  areaFiles(folder).flatMap((name) => rulingsOf(readFileSync(join(folder, name), "utf8"), basename(name, ".md")));

/**
 * The rulings of one area's page.
 * @throws Error when a heading has not the form of a ruling, or its anchor is another's.
 */
export function rulingsOf(page: string, area: string): readonly Ruling[] {
  const found = [...page.matchAll(HEADING)].map(([, anchor, number = "", mark, seeNumber, title = ""]) => {
    if (anchor !== number.toLowerCase()) throw new Error(`${area}.md: the anchor of ${number} is ${anchor}`);
    if ((mark === "→") !== (seeNumber !== undefined))
      throw new Error(`${area}.md: → and the other number of ${number}`);
    return { number, mark: mark as Ruling["mark"], seeNumber, title, area };
  });
  const formed = [...page.matchAll(HEADING)].map(([text]) => text.slice(text.indexOf("## ")));
  const other = (page.match(/^#{2,} .*$/gm) ?? []).find((heading) => !formed.includes(heading));
  if (other !== undefined)
    throw new Error(
      `${area}.md: "${other}" has not the form of a ruling: <a id="r-x1"></a>, an empty line, ## R-X1 ● Title`,
    );
  return found;
}

/** Rulings that some test must name: those that work, in whole or in part. */
export const working = (rulings: readonly Ruling[]): readonly Ruling[] =>
  rulings.filter(({ mark }) => mark === "●" || mark === "◐");

/** Which numbers say this ruling: its own, and those that point to it. */
export const numbersOf = (ruling: Ruling, rulings: readonly Ruling[]): readonly string[] => [
  ruling.number,
  ...rulings.filter(({ seeNumber }) => seeNumber === ruling.number).map(({ number }) => number),
];
