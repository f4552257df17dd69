/** Entries that follow each other in a list. */
export interface Batch<T, Start> {
  readonly entries: T[];
  /** Where the next page begins; null on the last one. */
  readonly next: Start | null;
}

/**
 * The entries of a page, and where the next one begins.
 * @param found one more than the page has, if there are more: it shows whether there is a next page.
 */
export function cutPage<T, Start>(
  found: readonly T[],
  { limit }: { readonly limit: number },
  startOf: (entry: T) => Start,
): Batch<T, Start> {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: last !== undefined && found.length > limit ? startOf(last) : null };
}
