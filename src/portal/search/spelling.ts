import { editDistance } from "#runtime/basis/edit-distance.ts";

/** How many letters may be wrong in a text of this length: a short word is near too many others. */
const wrongLettersMax = (length: number): number => {
  if (length < 5) return 0;
  return length < 7 ? 1 : 2;
};

/**
 * The known word, or words, that differ least from what was typed; the first one of several. `undefined` when more than
 * a letter or two would be wrong.
 */
export function likelySpelling(typed: string, known: readonly string[]): string | undefined {
  const max = wrongLettersMax(typed.length);
  const near = known
    .filter(({ length }) => Math.abs(length - typed.length) <= max)
    .map((word) => ({ word, distance: editDistance(typed, word) }))
    .filter(({ distance }) => distance <= max)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.word;
}
