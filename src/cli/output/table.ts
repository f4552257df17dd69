import type { Paint } from "./paint.ts";
import { displayWidth, plain } from "./terminal-text.ts";

/** One column of a list. */
export interface Column<T> {
  readonly heading: string;
  /** The cell's text; null is shown as a dash. */
  readonly cell: (row: T) => string | number | null | undefined;
  /** Numbers are aligned right. */
  readonly align?: "left" | "right";
}

interface TableOptions {
  readonly paint: Paint;
  /** Width of the terminal; without it, or where it is 0, lines are not limited. */
  readonly columns?: number | undefined;
}

const GAP = "  ";

/**
 * Lays rows out under headings, one line each. When the terminal is too narrow, each row becomes a block of its own, so
 * that text is neither cut nor wrapped.
 */
export function table<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { paint, columns: width }: TableOptions,
): string {
  const cells = rows.map((row) => columns.map(({ cell }) => toCell(cell(row))));
  const widths = columns.map(({ heading }, index) =>
    // One after another: as arguments of one call, the cells of some hundred thousand rows are too many.
    cells.reduce((width, line) => Math.max(width, displayWidth(line[index] ?? "")), heading.length),
  );
  const total = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (columns.length - 1);
  if (width && total > width) return blocks(cells, columns, paint);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => pad(text, widths[index] ?? 0, columns[index]?.align))
      .join(GAP)
      .trimEnd();
  const headings = line(columns.map(({ heading }) => heading.toUpperCase()));
  return [paint.heading(headings), ...cells.map(line)].map((text) => `${text}\n`).join("");
}

function blocks<T>(cells: readonly (readonly string[])[], columns: readonly Column<T>[], paint: Paint): string {
  const width = Math.max(...columns.map(({ heading }) => heading.length));
  return cells
    .map((texts) =>
      texts
        .map((text, index) => `${paint.label((columns[index]?.heading ?? "").padEnd(width))}${GAP}${text}\n`)
        .join(""),
    )
    .join("\n");
}

/** Names come from others; their control characters could move the terminal's cursor. */
const toCell = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === "" ? "–" : plain(String(value));

const pad = (text: string, width: number, align: "left" | "right" = "left"): string => {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "right" ? space + text : text + space;
};
