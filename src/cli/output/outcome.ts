import type { Advice } from "./advice.ts";
import { card, type Facts } from "./card.ts";
import type { ExitCode } from "./command-error.ts";
import type { Paint } from "./paint.ts";
import { type Column, table } from "./table.ts";

/** The result of a command. */
export interface Outcome {
  /** The one JSON document of `--json`; its names are kept stable. `undefined` when the command has written its data itself. */
  readonly json: unknown;
  /** The result for people. Goes to standard output; empty when there is nothing to show. */
  readonly text: (paint: Paint, columns: number | undefined) => string;
  /** What happened, in a sentence. */
  readonly said?: string;
  /** The usual next step. */
  readonly next?: Advice;
  /**
   * What was printed has a secret that no other command shows. It says what to do if the reader of standard output
   * had left: the command fails then.
   */
  readonly ifUnread?: Advice;
  /** The exit code; `ok` by default. */
  readonly exitCode?: ExitCode;
}

/** Ends a command that has printed everything already. */
export class Ended extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super("The command has ended.");
    this.exitCode = exitCode;
  }
}

export interface OutcomeWords {
  readonly said?: string;
  readonly next?: Advice;
  readonly ifUnread?: Advice;
}

/** One thing. */
export const one = (json: unknown, facts: Facts, words: OutcomeWords = {}): Outcome => ({
  json,
  text: (paint, columns) => card(facts, paint, columns),
  ...words,
});

/** Any number of things; `ifNone` is printed for an empty list. */
export const many = <T>(
  json: unknown,
  rows: readonly T[],
  columns: readonly Column<T>[],
  { ifNone, ...words }: OutcomeWords & { readonly ifNone: OutcomeWords },
): Outcome => ({
  json,
  text: (paint, width) => (rows.length === 0 ? "" : table(rows, columns, { paint, columns: width })),
  ...(rows.length === 0 ? ifNone : words),
});
