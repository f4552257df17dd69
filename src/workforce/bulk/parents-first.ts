/**
 * Puts each entry behind the one that it names as its parent: layer by layer, each in the order of the ids' bytes. Entries whose parents
 * are not among the others, or that form a circle, come last. Ids are ASCII, whose order JavaScript keeps.
 */
export function parentsFirst<T extends { readonly id: string }>(
  entries: readonly T[],
  parentOf: (entry: T) => string | null,
): T[] {
  const sorted = entries.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const below = Map.groupBy(sorted, parentOf);
  const layers: T[][] = [];
  for (let layer = below.get(null) ?? []; layer.length > 0; layer = layer.flatMap(({ id }) => below.get(id) ?? []))
    layers.push(layer);
  // Not by spreading a layer into arguments: one user may manage more users than a call can have.
  const ordered = layers.flat();
  if (ordered.length === entries.length) return ordered;
  const placed = new Set(ordered);
  return [...ordered, ...sorted.filter((entry) => !placed.has(entry))];
}
