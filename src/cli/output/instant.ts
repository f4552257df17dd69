import { counted } from "#runtime/basis/text.ts";

/** An instant in the form of JSON; null for none. */
export const toJsonInstant = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

/** An instant for people, to the minute, in UTC: `2026-11-20 10:54 UTC`; null for none. */
export const toShownInstant = (at: Date | null | undefined): string | null =>
  at === null || at === undefined ? null : `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** An instant for people, to the second, in UTC, of what is looked for in a log: `2026-11-20 10:54:03 UTC`; null for none. */
export const toShownSecond = (at: Date | null | undefined): string | null =>
  at === null || at === undefined ? null : `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A length of time exactly, in whole units: `30 days`, `1 hour 30 minutes`; `unknown` for none. */
export function toTimeSpan(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "unknown";
  let rest = seconds;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(counted(count, unit));
  }
  return parts.length === 0 ? counted(0, "second") : parts.join(" ");
}

/** The distance of an instant from now, in its largest unit: `3 minutes ago`, `in 2 days`, `now`. */
export function elapsed(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  const count = Math.floor(Math.abs(seconds) / size);
  if (count === 0) return "now";
  const words = counted(count, unit);
  return seconds < 0 ? `${words} ago` : `in ${words}`;
}
