import { join } from "node:path";
import type { InstallationOptions } from "../../harness/installation.ts";
import { checkOutOlder } from "../../harness/older-checkout.ts";
import { machine } from "./table.ts";

/** Work that is measured in bursts. Only one of all is under way at a time. */
export interface BurstSeries {
  readonly what: string;
  /** What comes before the first figure, while V8 compiles. */
  warmUp(): Promise<unknown>;
  /** Does its part of the work. @returns what an operation took. */
  burst(): Promise<number>;
}

/** One of the two programs, with the series that are asked of it in their order. */
export interface Side {
  readonly series: readonly BurstSeries[];
  stop(): Promise<void>;
}

export interface Turns {
  /** How often both programs are started: figures of one process differ from those of the next. */
  readonly rounds: number;
  /** Into how many a series is cut, in each round. */
  readonly bursts: number;
  /** What the figures are. */
  readonly unit: string;
}

/** What both sides had in a series, burst after burst. */
interface Compared {
  readonly older: number[];
  readonly newer: number[];
}

/**
 * Measures the program of an earlier commit beside this one and prints a table. A machine is not the same from one
 * minute to the next, so both are up at once and get the bursts of a series by turns, seconds apart.
 * @throws Error where this checkout has no such commit.
 */
export async function measureByTurns(
  commit: string,
  { rounds, bursts, unit }: Turns,
  start: (options: InstallationOptions) => Promise<Side>,
): Promise<void> {
  if (process.platform !== "linux") throw new Error("The benchmarks read CPU times from /proc and run on Linux only.");
  if (commit === "") throw new Error("Name the commit of the earlier program: FROM=<commit>");
  const checkout = checkOutOlder(commit);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      checkout.remove();
      process.exit(1);
    });
  try {
    const figures = new Map<string, Compared[]>();
    for (let round = 0; round < rounds; round++) {
      const older = await start({ program: join(checkout.directory, "bin", "gatehouse") });
      try {
        const newer = await start({});
        try {
          for (const [series, compared] of await compareSides(older, newer, bursts))
            figures.set(series, [...(figures.get(series) ?? []), compared]);
        } finally {
          await newer.stop();
        }
      } finally {
        await older.stop();
      }
    }
    console.log(`${machine()}; ${rounds} rounds of ${bursts} bursts a series by turns, ${unit}\n`);
    console.log(`| work | ${commit} | this program | ratio, all bursts |\n| --- | ---: | ---: | ---: |`);
    for (const [series, compared] of figures) console.log(rowOf(series, compared));
  } finally {
    checkout.remove();
  }
}

async function compareSides(older: Side, newer: Side, bursts: number): Promise<Map<string, Compared>> {
  const figures = new Map<string, Compared>();
  for (const [index, before] of older.series.entries()) {
    const after = newer.series[index];
    if (after === undefined) throw new Error(`This program has no series "${before.what}".`);
    await before.warmUp();
    await after.warmUp();
    const compared: Compared = { older: [], newer: [] };
    for (let burst = 0; burst < bursts; burst++) {
      // Each goes first as often as the other.
      if (burst % 2 === 1) compared.newer.push(await after.burst());
      compared.older.push(await before.burst());
      if (burst % 2 === 0) compared.newer.push(await after.burst());
    }
    figures.set(before.what, compared);
  }
  return figures;
}

/** What was usual in each round, and the ratio of what was in all. */
function rowOf(series: string, rounds: readonly Compared[]): string {
  const ofRounds = (side: keyof Compared) => rounds.map((round) => usual(round[side]).toFixed(0)).join(", ");
  const ofAll = (side: keyof Compared) => usual(rounds.flatMap((round) => round[side]));
  return `| ${series} | ${ofRounds("older")} | ${ofRounds("newer")} | ${(ofAll("newer") / ofAll("older")).toFixed(2)} × |`;
}

/**
 * The mean of the middle half. The system counts a process's time in steps of 10 ms, so a median would be one of few numbers, and
 * a mean of all would have the moments at which the machine did something else.
 */
function usual(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter);
  return middle.reduce((sum, one) => sum + one, 0) / middle.length;
}
