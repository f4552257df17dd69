import { LENGTHS } from "../request-fields.ts";

/**
 * A name that is not taken for the role that one user gets in the place of a shared one (R-E3): `Admin (custom)`, then
 * `Admin (custom 2)` and so on. A long name is cut, so that what is made up is not too long.
 */
export function customRoleName(sharedName: string, taken: ReadonlySet<string>): string {
  const base = sharedName.replace(/ \(custom(?: \d+)?\)$/, "");
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? " (custom)" : ` (custom ${count})`;
    const name = `${cut(base, LENGTHS.name - suffix.length)}${suffix}`;
    if (!taken.has(name)) return name;
  }
}

/** Never within a surrogate pair: half of one is no text that a store takes. */
const cut = (text: string, length: number): string =>
  text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd();
