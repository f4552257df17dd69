import { globSync, readFileSync } from "node:fs";

/** A number that a file cites: a statement's (`S12`) or a ruling's (`R-S12`). */
export interface Citation {
  readonly file: string;
  readonly number: string;
}

/** Where numbers of statements and rulings are cited. Generated files and the contracts of earlier releases repeat others. */
const CITING = [
  "{src,workflows,test,tools,bench,examples}/**/*.ts",
  "{openapi,proto}/**/*.{yaml,proto}",
  "src/**/*.md",
  "*.md",
  "docs/**/*.md",
];

/** Citations in the repository's own files. `except` names the test that plants defects. */
export const citationsOf = (number: RegExp, except: string): readonly Citation[] =>
  CITING.flatMap((files) => globSync(files, { exclude: ["**/node_modules", "openapi/baseline"] }))
    .filter((file) => !file.endsWith(except))
    .flatMap((file) => numbersIn(readFileSync(file, "utf8"), number).map((one) => ({ file, number: one })));

/** The numbers that a text cites, each as often as it does. */
export const numbersIn = (text: string, number: RegExp): readonly string[] => text.match(number) ?? [];

/** Citations of what no paper defines, as `file: number`. */
export const undefinedOf = (citations: readonly Citation[], defined: ReadonlySet<string>): readonly string[] => [
  ...new Set(citations.filter(({ number }) => !defined.has(number)).map(({ file, number }) => `${file}: ${number}`)),
];
