import { Failure } from "#runtime/basis/errors.ts";

/** A part of an answer that the services always set. @throws Failure INTERNAL when an answer lacks it. */
export function present<T>(message: T | null | undefined): T {
  if (message === null || message === undefined)
    throw new Failure("INTERNAL", "incomplete_answer", "An answer of Gatehouse is incomplete.");
  return message;
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
