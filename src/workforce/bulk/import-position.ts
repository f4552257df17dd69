import { firstCharacters } from "#runtime/basis/text.ts";
import type { Verdict } from "./kinds/import-run.ts";

/** A line that was not taken. */
export interface BadLine {
  readonly number: number;
  /** What is wrong and what to do about it; without the line's content, which may be personal. */
  readonly reason: string;
}

/** How far an import came. */
export interface ImportPosition {
  /** Lines dealt with: those created, unchanged and bad. */
  readonly lines: number;
  readonly created: number;
  readonly unchanged: number;
  readonly bad: number;
  /** Number of the last line dealt with; 0 before the first. */
  readonly lastNumber: number;
  /** Byte position behind it. */
  readonly endOffset: number;
}

/** Bad lines that an import remembers. */
export const BAD_LINES_MAX = 1_000;
/** In characters: a thousand reasons fit into one answer, whatever they list. */
const REASON_LENGTH_MAX = 500;

/** Lines with what became of them. */
export type Judged = readonly { readonly number: number; readonly endOffset: number; readonly verdict: Verdict }[];

/** The position after these lines, and those of them that were bad. */
export function positionAfter(before: ImportPosition, judged: Judged): { position: ImportPosition; bad: BadLine[] } {
  const bad = judged.flatMap(({ number, verdict }) =>
    typeof verdict === "object" ? [{ number, reason: shown(verdict.bad) }] : [],
  );
  const count = (of: Verdict) => judged.filter(({ verdict }) => verdict === of).length;
  const last = judged.at(-1);
  return {
    position: {
      lines: before.lines + judged.length,
      created: before.created + count("created"),
      unchanged: before.unchanged + count("unchanged"),
      bad: before.bad + bad.length,
      lastNumber: last?.number ?? before.lastNumber,
      endOffset: last?.endOffset ?? before.endOffset,
    },
    bad,
  };
}

/** Without what no store holds and no terminal should be sent. */
const shown = (reason: string): string =>
  firstCharacters(reason.toWellFormed().replaceAll(/\p{Cc}/gu, " "), REASON_LENGTH_MAX);
