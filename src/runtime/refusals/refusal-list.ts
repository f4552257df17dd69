import { type FieldViolation, invalidArgument, WRONG_CURSOR } from "../basis/errors.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;

/** A part of a list of refusals, which begins with the newest. */
export interface RefusalPage {
  readonly limit: number;
  /** Behind the refusal of this time and request id; `undefined` for the newest. */
  readonly before: { readonly at: Date; readonly id: string } | undefined;
}

/**
 * Reads which part of a list a request asks for; a limit of 0 means 50.
 * @throws INVALID_ARGUMENT naming every wrong field at once, those of `found` first.
 */
export function readRefusalPage(
  { limit, before }: { readonly limit: number; readonly before: { at: Date | null; requestId: string } | null },
  found: readonly FieldViolation[],
): RefusalPage {
  const violations = [...found];
  if (limit < 0 || limit > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
  const { at = null, requestId = "" } = before ?? {};
  if (before !== null && at === null) violations.push({ ...WRONG_CURSOR, field: "before" });
  if (violations.length > 0) throw invalidArgument(violations);
  return { limit: limit === 0 ? LIMIT_DEFAULT : limit, before: at === null ? undefined : { at, id: requestId } };
}
