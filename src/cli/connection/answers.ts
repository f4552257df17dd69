import type { PageStart } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { Failure } from "#runtime/basis/errors.ts";

/** A part of an answer that the services always set. @throws Failure INTERNAL when an answer lacks it. */
export function present<T>(message: T | null | undefined): T {
  if (message === null || message === undefined)
    throw new Failure("INTERNAL", "incomplete_answer", "An answer of Gatehouse is incomplete.");
  return message;
}

interface Page {
  readonly next: PageStart | null;
}

/** All entries of a list, read page by page. */
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
