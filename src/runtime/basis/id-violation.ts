import type { FieldViolation } from "./errors.ts";
import { type IdKind, parseId } from "./ids.ts";

/** What is wrong with a field that must be an id of that kind; nothing when it is one, or was not given. */
export function idViolations(kind: IdKind, field: string, given: string | null | undefined): FieldViolation[] {
  if (typeof given !== "string" || parseId(kind, given) !== undefined) return [];
  const noun = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [{ field, reason: `must be the id of ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}` }];
}
