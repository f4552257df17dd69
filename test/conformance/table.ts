import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CASES, type Case } from "./cases.ts";
import { NotApplicable } from "./set-up.ts";
import type { Departures } from "./subjects.ts";

/** Columns in the order in which they are printed; those of the SDKs in the order of the languages. */
const ORDER = ["mock", "server", "typescript", "python", "go", "java"];
const WORK = ".cache";

/** One column of the table for a reader: what a subject kept, or why it was not asked. */
export class Column {
  readonly #subject: string;
  readonly #words = new Map<string, string>();

  constructor(subject: string) {
    this.#subject = subject;
  }

  noteResult({ name }: Case, asked: unknown, departures: Departures): void {
    const kept = departures.length === 0 ? "kept" : "DEPARTS";
    this.#words.set(name, asked instanceof NotApplicable ? `not applicable, because ${asked.because}` : kept);
  }

  /** Writes this column, and the table of all columns that are there by now. */
  write(): void {
    const folder = join(WORK, "cases");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, this.#subject), JSON.stringify(Object.fromEntries(this.#words)));
    const columns = readdirSync(folder)
      .toSorted((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other))
      .map((name) => ({ name, words: JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, string> }));
    const rows = CASES.map(({ name }) => [name, ...columns.map(({ words }) => words[name] ?? "not run")]);
    const lines = [["case", ...columns.map(({ name }) => name)], ...rows].map(([name = "", ...cells]) =>
      [name.padEnd(62), ...cells.map((cell) => cell.padEnd(10))].join(" ").trimEnd(),
    );
    writeFileSync(join(WORK, "cases.txt"), `${lines.join("\n")}\n`);
  }
}
