/** The word of these that was perhaps meant: the nearest, at most two letters away; `undefined` when there is none. */
export function meantWord(typed: string, words: readonly string[]): string | undefined {
  const [nearest] = words
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .filter(({ distance }) => distance <= 2)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.word;
}

/** Levenshtein's distance. What is much longer than a word is far from all. */
function distanceOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, theirs] of [...other].entries())
      next.push(Math.min((row[at] ?? 0) + (letter === theirs ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}
