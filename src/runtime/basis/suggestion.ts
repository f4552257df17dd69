import { editDistance } from "./edit-distance.ts";

/** More names than these are no advice. */
const SUGGESTED_MAX = 3;
const MISTYPED_CHARACTERS_MAX = 2;
/** Of the characters of a name: in a short one two wrong ones leave nothing of it. */
const MISTYPED_PART_MAX = 1 / 3;

/**
 * What to do with an unknown name of a setting, as a sentence behind a space.
 * @param written how a setting's name is written where the unknown one was found.
 */
export function suggestion(name: string, known: ReadonlySet<string>, written = (setting: string) => setting): string {
  const close = closeTo(name, [...known]);
  return close.length === 0 || close.length > SUGGESTED_MAX
    ? " Remove it, or see docs/configuration.md."
    : ` Did you mean ${close.map(written).join(" or ")}?`;
}

/**
 * The names that differ least by typing. Where none is mistyped: the longest that is within the name, or all with a word that
 * begins with it, as `public-port` for `port`, and of those that go on alike the shortest.
 */
function closeTo(name: string, known: readonly string[]): readonly string[] {
  const distances = known.map((one) => editDistance(name, one));
  const least = Math.min(...distances);
  if (least <= Math.min(MISTYPED_CHARACTERS_MAX, name.length * MISTYPED_PART_MAX))
    return known.filter((_, index) => distances[index] === least);
  const within = known.filter((one) => name.includes(one)).toSorted((one, other) => other.length - one.length);
  if (within.length > 0) return within.slice(0, 1);
  const around = known.filter((one) => `-${one}`.includes(`-${name}`));
  return around.filter((one) => !around.some((other) => one.startsWith(`${other}-`)));
}
