/** Rows of one reading: a filter that no index answers reads a table in parts. */
const PART = 500;

/**
 * The first entries of an ordered list that fit a filter, at most `limit`: what the store is not asked for, since no index
 * would answer it. Reads a part of the list after the other until there are so many, or none is left.
 * @param read at most `count` entries in the list's order, behind the one given; from its beginning without one.
 */
export async function firstMatching<T>(
  limit: number,
  fits: (entry: T) => boolean,
  read: (after: T | undefined, count: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let after: T | undefined; ; ) {
    const part = await read(after, PART);
    found.push(...part.filter(fits));
    after = part.at(-1);
    if (found.length >= limit || part.length < PART) return found.slice(0, limit);
  }
}
