import { commandError, EXIT } from "../output/command-error.ts";
import type { FieldFlags } from "../output/failed-call.ts";

/**
 * The fields of an update: those whose flags were given.
 * @param given the value of each flag, by the field that it sets; `undefined` when the flag is absent.
 * @throws CommandError when no flag was given.
 */
export function chosenFields(given: Readonly<Record<string, unknown>>, flags: FieldFlags): string[] {
  const chosen = Object.keys(given).filter((field) => given[field] !== undefined);
  if (chosen.length > 0) return chosen;
  throw commandError(EXIT.usage, {
    code: "USAGE",
    reason: "nothing_to_change",
    message: "No change was given.",
    fix: `Give at least one of ${Object.keys(given)
      .map((field) => flags[field] ?? field)
      .join(", ")}`,
  });
}
