import type { PageStart } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";

interface Page {
  readonly next: PageStart | null;
}

/** Everything that a list has, read page by page. */
export async function allPages<P extends Page, T>(
  read: (after: PageStart | null) => Promise<P>,
  entriesOf: (page: P) => readonly T[],
): Promise<readonly T[]> {
  const entries: T[] = [];
  for (let after: PageStart | null = null; ; ) {
    const page: P = await read(after);
    entries.push(...entriesOf(page));
    if (page.next === null) return entries;
    after = page.next;
  }
}
