import { type LowerEnumWord, lowerWordOf } from "#runtime/basis/enum-words.ts";
import { type FieldViolation, WRONG_CURSOR } from "#runtime/basis/errors.ts";
import { parseCursor } from "./cursor.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;

/** Which part of a list is asked for. */
interface ListPart {
  /** The position behind which it begins, newest first; `undefined` for the first part. */
  readonly before: number | undefined;
  readonly limit: number;
  /** What is wrong with `limit` and `cursor`. */
  readonly violations: readonly FieldViolation[];
}

/** Reads which part a request to list asks for; a limit of 0 means 50. */
export function readListPart({
  limit,
  cursor,
}: {
  readonly limit: number;
  readonly cursor?: string | null | undefined;
}): ListPart {
  const violations: FieldViolation[] = [];
  const before = typeof cursor === "string" ? parseCursor(cursor) : undefined;
  if (limit < 0 || limit > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
  if (typeof cursor === "string" && before === undefined) violations.push(WRONG_CURSOR);
  return { before, limit: limit === 0 ? LIMIT_DEFAULT : limit, violations };
}

/** The states that a filter names, each once, and what is wrong with them: those that this program does not know. */
export function readStates<E extends Readonly<Record<string, string>>>(
  values: E,
  given: readonly E[keyof E][],
): { readonly states: readonly LowerEnumWord<E>[]; readonly violations: readonly FieldViolation[] } {
  const words = given.map((state) => lowerWordOf(values, state));
  const states = [...new Set(words.filter((word) => word !== undefined))];
  return { states, violations: words.includes(undefined) ? [{ field: "states", reason: "must be known states" }] : [] };
}
