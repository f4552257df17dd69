import type { Ledger } from "../faults/weather/ledger.ts";
import {
  CONNECTIONS,
  DATABASE,
  HANDLES,
  LOG_FILE,
  MAIN_FILE,
  MEMORY,
  SERVER_MEMORY,
  WRITE_AHEAD_LOG,
} from "./samples.ts";
import { type Allowance, type Course, coursesOf, type Sample } from "./verdict.ts";

export const WRITTEN = "things written";

/**
 * Tables that keep a row for each thing written, at most so many: what is erased or ended stays as an id (R-X260). A tenant has roles of
 * its own.
 */
const AS_WRITTEN: ReadonlyMap<string, number> = new Map([
  ["erasures", 1],
  ["workforce_access_roles", 3],
  ["workforce_people", 1],
  ["workforce_tenants", 1],
  ["workforce_users", 1],
  ["workforce_workers", 1],
  ["workforce_locations", 1],
  ["workforce_unit_types", 1],
]);
/** Of the store, for those rows and their indexes. */
const KIB_PER_THING: ReadonlyMap<string, number> = new Map([
  [MAIN_FILE, 2.5],
  [DATABASE, 1.5],
]);

const ALLOWANCES: ReadonlyMap<string, Allowance> = new Map([
  [MEMORY, { part: 0.1, least: 20 }],
  [HANDLES, { part: 0, least: 8 }],
  [LOG_FILE, { part: 0.5, least: 8_192 }],
  [WRITE_AHEAD_LOG, { part: 0.5, least: 65_536 }],
  [CONNECTIONS, { part: 0, least: 3 }],
  [SERVER_MEMORY, { part: 0.1, least: 10 }],
]);
const OF_TABLES: Allowance = { part: 0.1, least: 50 };

/** A repeat on the next day of the product's clock is a second request (R-G18). */
const BY_A_JUMP = /made two things|ALREADY_EXISTS/;

interface Report {
  readonly text: string;
  readonly isFlat: boolean;
}

/** The verdict as Markdown, for a terminal and for docs/reliability.md. */
export function reportOf(
  samples: readonly Sample[],
  { counts, incidents }: Ledger,
  { seed, warmUpPart }: { readonly seed: string; readonly warmUpPart: number },
): Report {
  const end = samples.at(-1)?.at ?? 0;
  const from = Math.round(end * warmUpPart);
  const courses = coursesOf(samples, from, (name) => ALLOWANCES.get(name) ?? OF_TABLES).filter(({ most }) => most > 0);
  const written = courses.find(({ name }) => name === WRITTEN)?.growth ?? 0;
  const verdicts = courses
    .filter(({ name }) => name !== WRITTEN)
    .map((course) => ({ course, ...verdictOf(course, written) }));
  const grew = verdicts.filter(({ isGood }) => !isGood);
  const text = [
    `Seed \`${seed}\`, ${end} seconds, of which the first ${from} are warm-up. **${grew.length === 0 ? "Everything is flat." : `${grew.length} grew.`}**`,
    "",
    "| quantity | after warm-up | at the end | most | growth | |",
    "| --- | ---: | ---: | ---: | ---: | --- |",
    ...verdicts.map(
      ({ course: { name, first, last, most, growth }, word }) =>
        `| ${name} | ${first} | ${last} | ${most} | ${Math.round(growth)} | ${word} |`,
    ),
    "",
    "| count | |",
    "| --- | ---: |",
    ...[...counts]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([what, times]) => `| ${what} | ${times} |`),
    "",
    `Things written after the warm-up: ${Math.round(written)}. Other incidents:`,
    "",
    ...incidents
      .filter((sentence) => !BY_A_JUMP.test(sentence))
      .slice(0, 10)
      .map((sentence) => `- ${sentence}`),
  ].join("\n");
  return { text, isFlat: grew.length === 0 };
}

function verdictOf(
  { name, growth, isFlat }: Course,
  written: number,
): { readonly word: string; readonly isGood: boolean } {
  if (isFlat) return { word: "flat", isGood: true };
  const rows = AS_WRITTEN.get(name);
  if (rows !== undefined && growth <= rows * written) return { word: "as written", isGood: true };
  const kib = KIB_PER_THING.get(name);
  if (kib !== undefined && growth <= kib * written) return { word: "by the rows above", isGood: true };
  return { word: "**grew**", isGood: false };
}
