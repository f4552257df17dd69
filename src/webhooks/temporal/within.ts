import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";

/** @throws INVALID_ARGUMENT naming each field whose value is out of its bounds, both included. */
export function assertWithin(
  fields: Readonly<Record<string, readonly [value: number, least: number, most: number]>>,
): void {
  const violations = Object.entries(fields).flatMap(([field, [value, least, most]]): FieldViolation[] =>
    value >= least && value <= most ? [] : [{ field, reason: `must be ${least} to ${most}` }],
  );
  if (violations.length > 0) throw invalidArgument(violations);
}
