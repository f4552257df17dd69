import type { FieldFlags } from "../output/failure-refusal.ts";
import { EXIT, refuse } from "../output/refusal.ts";

/**
 * The fields that an update names: those whose flags were given.
 * @param given what each flag said, by the field that it carries; `undefined` when it was not there.
 * @throws Refusal when no flag was given.
 */
export function chosenFields(given: Readonly<Record<string, unknown>>, flags: FieldFlags): string[] {
  const chosen = Object.keys(given).filter((field) => given[field] !== undefined);
  if (chosen.length > 0) return chosen;
  throw refuse(EXIT.usage, {
    code: "USAGE",
    reason: "nothing_to_change",
    message: "Nothing was given that should change.",
    fix: `Give at least one of ${Object.keys(given)
      .map((field) => flags[field] ?? field)
      .join(", ")}`,
  });
}
