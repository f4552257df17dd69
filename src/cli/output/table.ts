import { wrap } from "#runtime/basis/terminal-lines.ts";
import { card } from "./card.ts";
import type { Paint } from "./paint.ts";
import { displayWidth, plain } from "./terminal-text.ts";

/** One column of a list. */
export interface Column<T> {
  readonly heading: string;
  /** The cell's text; null is shown as a dash. */
  readonly cell: (row: T) => string | number | null | undefined;
  /** Numbers are aligned right. */
  readonly align?: "left" | "right";
  /** A longer text is cut on a line of the table; where each row is a block of its own, it is whole. */
  readonly cutAt?: number;
  /** Left out where the table is too wide for the terminal, of several the last first; a line says so. */
  readonly canBeMissed?: boolean;
}

interface TableOptions {
  readonly paint: Paint;
  /** Width of the terminal; without it, or where it is 0, lines are not limited. */
  readonly columns?: number | undefined;
}

const GAP = "  ";

/**
 * Lays rows out under headings, one line each. When the terminal is too narrow, columns that can be missed are left out;
 * if that does not help, each row becomes a card of its own, with its texts whole.
 */
export function table<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { paint, columns: width }: TableOptions,
): string {
  const whole = rows.map((row) => columns.map(({ cell }) => toCell(cell(row))));
  const cells = whole.map((texts) => texts.map((text, index) => cut(text, columns[index]?.cutAt)));
  const widths = columns.map(({ heading }, index) =>
    // One after another: as arguments of one call, the cells of some hundred thousand rows are too many.
    cells.reduce((width, line) => Math.max(width, displayWidth(line[index] ?? "")), heading.length),
  );
  const shown = fitting(columns, widths, width || Number.POSITIVE_INFINITY);
  if (shown === undefined)
    return whole
      .map((texts) =>
        card(
          texts.map((text, index) => [columns[index]?.heading ?? "", text] as const),
          paint,
          width,
        ),
      )
      .join("\n");
  const line = (texts: readonly string[]) =>
    shown
      .map((index) => pad(texts[index] ?? "", widths[index] ?? 0, columns[index]?.align))
      .join(GAP)
      .trimEnd();
  const headings = line(columns.map(({ heading }) => heading.toUpperCase()));
  const missed = columns.filter((_, index) => !shown.includes(index)).map(({ heading }) => heading);
  const note = missed.length === 0 ? [] : ["", ...wrap(missedNote(missed), width || Number.POSITIVE_INFINITY)];
  return [paint.heading(headings), ...cells.map(line), ...note].map((text) => `${text}\n`).join("");
}

/** The columns that are shown, by their places; `undefined` where those that cannot be missed are too wide. */
function fitting<T>(
  columns: readonly Column<T>[],
  widths: readonly number[],
  room: number,
): readonly number[] | undefined {
  const shown = [...columns.keys()];
  const total = () => shown.reduce((sum, index) => sum + (widths[index] ?? 0) + GAP.length, -GAP.length);
  while (total() > room) {
    const last = shown.findLastIndex((index) => columns[index]?.canBeMissed);
    if (last === -1) return undefined;
    shown.splice(last, 1);
  }
  return shown;
}

const missedNote = (headings: readonly string[]): string =>
  `Not shown for want of room: ${headings.join(", ")}. --json shows all.`;

/** Names come from others; their control characters could move the terminal's cursor. */
const toCell = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === "" ? "–" : plain(String(value));

const cut = (text: string, at: number | undefined): string =>
  at !== undefined && text.length > at ? `${text.slice(0, at - 1)}…` : text;

const pad = (text: string, width: number, align: "left" | "right" = "left"): string => {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "right" ? space + text : text + space;
};
