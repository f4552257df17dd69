import { EXIT } from "./exit-codes.ts";
import { refuse } from "./refusal.ts";

/** Which flag changes which field, for example `--job-title` → `job_titles`. */
export type ChangeFlags = Readonly<Record<`--${string}`, string>>;

/** The fields that an update names: those whose flags were given. @throws Refusal when none was. */
export function updateMask(options: object, flags: ChangeFlags): string[] {
  const given = new Set(Object.keys(options));
  const named = Object.entries(flags).filter(([flag]) => given.has(optionOf(flag)));
  if (named.length > 0) return named.map(([, field]) => field);
  throw refuse(EXIT.usage, {
    code: "USAGE",
    reason: "nothing_to_change",
    message: "There is nothing to change.",
    fix: `Give at least one of ${Object.keys(flags).join(", ")}`,
  });
}

/** The flag of each field, for refusals. */
export const fieldFlags = (flags: ChangeFlags): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(flags).map(([flag, field]) => [field, flag]));

/** The name under which a flag's value is found: `--job-title` → `jobTitle`. */
const optionOf = (flag: string): string =>
  flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The texts of a flag that may be repeated; one that is given once and empty says that there are none. */
export const texts = (given: readonly string[] | undefined): string[] => (given ?? []).filter((text) => text !== "");
