/**
 * Puts each entry behind the one that it names as its parent: layer by layer, each in the order of the ids' bytes. Entries whose parents
 * are not among the others, or that form a circle, come last.
 */
export function parentsFirst<T extends { readonly id: string }>(
  entries: readonly T[],
  parentOf: (entry: T) => string | null,
): T[] {
  const sorted = entries.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const below = Map.groupBy(sorted, parentOf);
  const ordered: T[] = [];
  for (let layer = below.get(null) ?? []; layer.length > 0; ) {
    ordered.push(...layer);
    layer = layer.flatMap(({ id }) => below.get(id) ?? []);
  }
  if (ordered.length === entries.length) return ordered;
  const placed = new Set(ordered);
  return [...ordered, ...sorted.filter((entry) => !placed.has(entry))];
}
