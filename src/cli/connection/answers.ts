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

/** A part of a list, and where the next one begins; null at the end of the list. */
export interface ListPart<T> {
  readonly entries: readonly T[];
  readonly nextCursor: string | null;
}

/**
 * As many entries as are wanted of a list of which one reading looks at a bounded part, and may find nothing there. A
 * filter with few matches ends after this many readings; the cursor says where to go on.
 */
export async function untilFound<T>(
  wanted: { readonly limit: number; readonly cursor: string | undefined; readonly readings: number },
  read: (limit: number, cursor: string | null) => Promise<ListPart<T>>,
): Promise<ListPart<T>> {
  const entries: T[] = [];
  let cursor = wanted.cursor ?? null;
  for (let reading = 0; reading < wanted.readings; reading++) {
    const part = await read(wanted.limit - entries.length, cursor);
    entries.push(...part.entries);
    cursor = part.nextCursor;
    if (cursor === null || entries.length >= wanted.limit) break;
  }
  return { entries, nextCursor: cursor };
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
