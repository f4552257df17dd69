import { Failure } from "#runtime/basis/errors.ts";

/** Members of a line in the order in which they are written; `undefined` ones are left out. */
export type LineContent = Readonly<Record<string, unknown>>;

/**
 * What is written of a line that an import reads as `Read`: each of its members, the person by id. The compiler asks for
 * a member that is read and not written, which an export would lose.
 */
export type WrittenLine<Read> = LineContent & {
  readonly [Member in keyof Read as Member extends "person" ? "personId" : Member]: unknown;
};

/** A text, number or list as a line shows it: what is not there, or empty, is left out. */
export const shown = <T>(value: T | null): T | undefined =>
  value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;

/** False is left out. */
export const shownFlag = (value: boolean): true | undefined => (value ? true : undefined);

/** The parts of an address that are known; nothing when all are unknown. */
export function shownAddress(address: object): LineContent | undefined {
  const parts = Object.entries(address).filter(([, part]) => part !== null);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Refuses a line about something that is there with other content: an import adds, it never changes. */
export function assertSame(what: string, stored: LineContent, given: LineContent): void {
  const names = new Set([...Object.keys(stored), ...Object.keys(given)]);
  const differing = [...names].filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(given[name]));
  if (differing.length === 0) return;
  throw new Failure(
    "ALREADY_EXISTS",
    "other_content",
    `${what} exists with other content: ${differing.join(", ")}. An import adds and never changes; take the line out, or make it equal.`,
  );
}
