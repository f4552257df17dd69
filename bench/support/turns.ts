import { join } from "node:path";
import type { InstallationOptions } from "../../harness/installation.ts";
import { checkOutOlder } from "../../harness/older-checkout.ts";
import { machine } from "./table.ts";

/** What one program had in each series: name of the series → its figure, in the order of the table. */
export type Figures = ReadonlyMap<string, number>;

/**
 * Measures the program of an earlier commit and this one by turns, since a machine is not the same for an hour, and
 * prints a table of all figures. @throws Error where this checkout has no such commit.
 */
export async function measureByTurns(
  commit: string,
  rounds: number,
  unit: string,
  measureProgram: (options: InstallationOptions) => Promise<Figures>,
): Promise<void> {
  if (process.platform !== "linux") throw new Error("The benchmarks read CPU times from /proc and run on Linux only.");
  if (commit === "") throw new Error("Name the commit of the earlier program: FROM=<commit>");
  const older = checkOutOlder(commit);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      older.remove();
      process.exit(1);
    });
  try {
    const program = join(older.directory, "bin", "gatehouse");
    const then: Figures[] = [];
    const now: Figures[] = [];
    for (let round = 0; round < rounds; round++) {
      then.push(await measureProgram({ program }));
      now.push(await measureProgram({}));
    }
    console.log(`${machine()}; ${rounds} rounds by turns, ${unit}\n`);
    console.log(`| work | ${commit} | this program | medians |\n| --- | ---: | ---: | ---: |`);
    for (const series of now[0]?.keys() ?? []) {
      const ofSeries = (figures: Figures) => figures.get(series) ?? Number.NaN;
      const [before, after] = [then.map(ofSeries), now.map(ofSeries)] as const;
      const ratio = median(after) / median(before);
      console.log(`| ${series} | ${listed(before)} | ${listed(after)} | ${ratio.toFixed(2)} × |`);
    }
  } finally {
    older.remove();
  }
}

const listed = (numbers: readonly number[]) => numbers.map((one) => one.toFixed(0)).join(", ");

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] ?? Number.NaN) + (sorted[Math.ceil(half)] ?? Number.NaN)) / 2;
}
