import { cpus } from "node:os";

/** One line of the result: a figure of ours and the floor of the same run. */
export interface Row {
  readonly what: string;
  readonly cpuMicroseconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Durable commits of the embedded store per operation. */
  readonly flushes?: number;
  /** Pages that the embedded store writes into its log per operation. */
  readonly pages?: number;
  readonly floor?: { readonly what: string; readonly cpuMicroseconds: number };
}

const number = (value: number, digits = 0): string => (Number.isNaN(value) ? "" : value.toFixed(digits));

/** A Markdown table, as docs/performance.md holds it. */
export function table(rows: readonly Row[]): string {
  const head = ["operation", "CPU µs", "per second", "p50 ms", "p99 ms", "flushes", "pages", "floor, CPU µs", "ratio"];
  const lines = rows.map(({ what, cpuMicroseconds, perSecond, p50Ms, p99Ms, flushes, pages, floor }) => [
    what,
    number(cpuMicroseconds),
    number(perSecond),
    number(p50Ms, 1),
    number(p99Ms, 1),
    number(flushes ?? Number.NaN, 2),
    number(pages ?? Number.NaN, 1),
    floor === undefined ? "" : `${number(floor.cpuMicroseconds)} (${floor.what})`,
    floor === undefined ? "" : `${number(cpuMicroseconds / floor.cpuMicroseconds, 1)} ×`,
  ]);
  return [head, head.map((_, index) => (index === 0 ? "---" : "---:")), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

export const machine = (): string =>
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`;
