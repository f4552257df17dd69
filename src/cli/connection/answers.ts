import type { PageStart } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { Failure } from "#runtime/basis/errors.ts";

/** A part of an answer that the services always set. @throws Failure INTERNAL when an answer lacks it. */
export function present<T>(message: T | null | undefined): T {
  if (message === null || message === undefined)
    throw new Failure("INTERNAL", "incomplete_answer", "An answer of Gatehouse is incomplete.");
  return message;
}

interface Page<S> {
  /** Where the next page begins; none on the last one. */
  readonly next?: S | null | undefined;
}

/** All entries of a list, read page by page. */
export async function allPages<P extends Page<S>, T, S = PageStart>(
  read: (after: S | null) => Promise<P>,
  entriesOf: (page: P) => readonly T[],
): Promise<readonly T[]> {
  const entries: T[] = [];
  for (let after: S | null = null; ; ) {
    const page: P = await read(after);
    entries.push(...entriesOf(page));
    if (page.next === null || page.next === undefined) return entries;
    after = page.next;
  }
}
