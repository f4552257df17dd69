import type { Streams } from "../output/streams.ts";

const WIDTH = 20;
const DRAW_EVERY_MS = 100;

/** Content of a progress bar. */
export interface Progress {
  /** From 0 to `total`, in the counted unit. */
  readonly done: number;
  readonly lines: number;
  readonly bad: number;
}

/** One line that is redrawn on a terminal; draws nothing on other streams. */
export class ProgressBar {
  readonly #stream: Streams["stderr"];
  readonly #total: number;
  readonly #amount: (done: number) => string;
  readonly #shown: boolean;
  readonly #startedAt = performance.now();
  #first: Progress | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  /** @param amount the counted amount, in words: `1.2 of 5.0 GB`. */
  constructor(stream: Streams["stderr"], total: number, amount: (done: number) => string, quiet: boolean) {
    this.#stream = stream;
    this.#total = total;
    this.#amount = amount;
    this.#shown = stream.isTTY === true && !quiet;
  }

  update(progress: Progress): void {
    this.#first ??= progress;
    const now = performance.now();
    if (!this.#shown || now - this.#drawnAt < DRAW_EVERY_MS) return;
    this.#drawnAt = now;
    this.#isDrawn = true;
    const text = this.#text(progress, (now - this.#startedAt) / 1000);
    this.#stream.write(`\r${text.slice(0, (this.#stream.columns || 80) - 1)}\u001B[K`);
  }

  /** Removes the bar, so that other text can be written in its place. */
  clear(): void {
    if (this.#isDrawn) this.#stream.write("\r\u001B[K");
    this.#isDrawn = false;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }

  #text({ done, lines, bad }: Progress, seconds: number): string {
    const part = this.#total === 0 ? 1 : Math.min(1, done / this.#total);
    const filled = Math.round(part * WIDTH);
    const rate = (lines - (this.#first?.lines ?? 0)) / Math.max(seconds, 0.001);
    const advanced = done - (this.#first?.done ?? 0);
    const left = advanced <= 0 ? undefined : ((this.#total - done) / advanced) * seconds;
    return [
      `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${String(Math.floor(part * 100)).padStart(3)} %`,
      this.#amount(done),
      `${Math.round(rate).toLocaleString("en")} lines/s`,
      ...(bad === 0 ? [] : [`${bad.toLocaleString("en")} bad`]),
      ...(left === undefined ? [] : [`${toShownDuration(left)} left`]),
    ].join("  ");
  }
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** `1.2 of 5.0 GB` */
export function toShownBytes(done: number, total: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(total, 1)) / 3)));
  const scaled = (bytes: number) => (bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1);
  return `${scaled(done)} of ${scaled(total)} ${UNITS[step]}`;
}

/** `45 s`, `3 min`, `2 h 5 min` */
export function toShownDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
