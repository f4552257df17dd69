import { InvalidArgumentError } from "commander";

/** An instant as JSON has it; null for none. */
export const toJsonInstant = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

/** An instant for people, to the minute, in UTC: `2026-11-20 10:54 UTC`; null for none. */
export const toShownInstant = (at: Date | null | undefined): string | null =>
  at === null || at === undefined ? null : `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Reads `2027-01-31` (midnight UTC) or an instant with its zone. @throws InvalidArgumentError */
export function parseInstant(text: string): Date {
  const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? new Date(text)
    : undefined;
  if (at === undefined || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError("It must be a date like 2027-01-31, or an instant like 2027-01-31T12:00:00Z.");
  return at;
}
