import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { ExplainedMutants } from "./explained.ts";

/** What is needed of a mutant that Stryker made. Lines and columns begin at 1; the end is excluded. */
export interface JudgedMutant {
  readonly fileName: string;
  readonly status: string;
  readonly replacement?: string | undefined;
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A mutant that no test noticed. */
export interface Survivor {
  readonly path: string;
  readonly line: number;
  /** What the source has and what the mutant has instead, each in one line. */
  readonly code: string;
  readonly replacement: string;
}

export interface Judgement {
  /** Those that took too long included. */
  readonly noticed: number;
  readonly tookTooLong: number;
  readonly survivors: readonly Survivor[];
  /** Noticed mutants of all that could be run, from 0 to 100; 100 where there are none. */
  readonly score: number;
}

const TOO_LONG = "Timeout";
const NOTICED = ["Killed", TOO_LONG];
const SURVIVED = ["Survived", "NoCoverage"];

/** Counts what became of mutants. Those that do not compile or were left out count for nothing. */
export function judge(mutants: readonly JudgedMutant[], read = readText): Judgement {
  const noticed = mutants.filter(({ status }) => NOTICED.includes(status)).length;
  const survivors = mutants
    .filter(({ status }) => SURVIVED.includes(status))
    .map(({ fileName, replacement, location }) => ({
      path: fileName,
      line: location.start.line,
      code: inOneLine(textAt(read(fileName), location)),
      replacement: inOneLine(replacement ?? ""),
    }));
  const run = noticed + survivors.length;
  const tookTooLong = mutants.filter(({ status }) => status === TOO_LONG).length;
  return { noticed, tookTooLong, survivors, score: run === 0 ? 100 : (100 * noticed) / run };
}

export interface Balance {
  readonly explained: readonly Survivor[];
  readonly unexplained: readonly Survivor[];
  /** Explanations, of files among `paths`, that are about no survivor. */
  readonly idle: readonly { readonly file: string; readonly code: string; readonly replacement: string }[];
}

/** Holds survivors against explanations: each is about the same file, the same code and the same change. */
export function balance(
  survivors: readonly Survivor[],
  explanations: readonly ExplainedMutants[],
  paths: readonly string[],
): Balance {
  const files = new Set(paths.map((path) => basename(path)));
  const changes = explanations
    .filter(({ file }) => files.has(file))
    .flatMap((one) => one.changes.map(([code, replacement]) => ({ file: one.file, code, replacement })));
  const fits = (survivor: Survivor, { file, code, replacement }: (typeof changes)[number]) =>
    basename(survivor.path) === file && survivor.code === code && survivor.replacement === replacement;
  const isExplained = (survivor: Survivor) => changes.some((change) => fits(survivor, change));
  return {
    explained: survivors.filter(isExplained),
    unexplained: survivors.filter((survivor) => !isExplained(survivor)),
    idle: changes.filter((change) => !survivors.some((survivor) => fits(survivor, change))),
  };
}

/** With each run of white space as one space. */
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function textAt(text: string, { start, end }: JudgedMutant["location"]): string {
  const lines = text.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join("\n");
}

const readText = (path: string): string => readFileSync(path, "utf8");
