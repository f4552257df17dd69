import type { PageStart } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";

interface PageRead<T> {
  readonly entries: readonly T[];
  /** Null on the last page. */
  readonly next: PageStart | null;
}

/** All entries of a list that is told page by page. */
export async function wholeList<T>(read: (after: PageStart | null) => Promise<PageRead<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  let after: PageStart | null = null;
  do {
    const { entries, next }: PageRead<T> = await read(after);
    all.push(...entries);
    after = next;
  } while (after !== null);
  return all;
}
