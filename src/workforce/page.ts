import { setImmediate } from "node:timers/promises";
import type { PageStart as PageStartMessage } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { type IdKind, type PublicId, parseId } from "#runtime/basis/ids.ts";
import { type Batch, cutPage } from "#runtime/basis/paged-list.ts";
import { type FieldReader, readFields } from "./request-fields.ts";

/** Most entries of one page (R-G9). */
const LIMIT_MAX = 1_000;
/** Entries that are read, handed over and sent at once when a whole list is asked for. */
export const BATCH_ENTRIES = 500;

/** Where a page begins: after the entry with this creation time and id. */
export interface PageStart<Id extends string = string> {
  readonly createdAt: Date;
  readonly id: Id;
}

/** The part of a list that is asked for, or the next batch of it. */
export interface Page<Id extends string = string> {
  /** Null for all that follow; such a part is read in batches. */
  readonly limit: number | null;
  /** Null for the beginning of the list. */
  readonly after: PageStart<Id> | null;
}

/** The values of a page for a query that is ordered by creation time, then id. */
export interface PageValues<Id extends string> {
  /** Unix milliseconds. */
  readonly afterCreatedAt: number;
  readonly afterId: Id;
  /** One more than the page has, to see whether there are more. */
  readonly count: number;
}

/** All of a list; it has no other pages. */
export const WHOLE_LIST = { limit: null, after: null } as const satisfies Page;

/** A page with a limit; how a repository is asked. */
export type LimitedPage<Id extends string = string> = Page<Id> & { readonly limit: number };

export const toPageValues = <Id extends string>({ limit, after }: LimitedPage<Id>): PageValues<Id> => ({
  afterCreatedAt: after?.createdAt.getTime() ?? Number.MIN_SAFE_INTEGER,
  afterId: after?.id ?? ("" as Id),
  count: limit + 1,
});

/**
 * Reads a page, or all that follows its beginning in batches, each when it is asked for: never more than one of them is
 * in memory. A list without entries has one batch, an empty one; no other batch is empty. `read` gives one entry more
 * than the page has, if there are more. Since an entry's creation time and id never change, an entry that is there all
 * the time comes exactly once, whatever is written meanwhile.
 */
export async function* readBatches<T, Id extends string>(
  { limit, after }: Page<Id>,
  read: (page: LimitedPage<Id>) => Promise<readonly T[]>,
  startOf: (entry: T) => PageStart<Id>,
): AsyncIterable<Batch<T, PageStart<Id>>> {
  if (limit !== null) {
    const page = { limit, after };
    yield cutPage(await read(page), page, startOf);
    return;
  }
  for (let start: PageStart<Id> | null = after; ; ) {
    const page = { limit: BATCH_ENTRIES, after: start };
    const { entries, next } = cutPage(await read(page), page, startOf);
    // What was behind the batch before may have gone since.
    if (entries.length > 0 || start === after) yield { entries, next: null };
    if (next === null) return;
    start = next;
    // Without this a fast reader would block all other requests: the embedded store answers at once, so nothing else
    // gets its turn.
    await setImmediate();
  }
}

/** Reads the page of a request; `kind` is that of the list's entries, or all kinds that it has. @throws INVALID_ARGUMENT. */
export const readPage = <K extends IdKind>(
  request: { readonly limit?: number | null | undefined; readonly after?: PageStartMessage | null },
  kind: K | readonly [K, ...K[]],
): Page<PublicId<K>> =>
  readFields((fields) => {
    const { limit = null, after = null } = request;
    checkLimit(fields, limit);
    if (after === null) return { limit, after };
    fields.check(after.createdAt !== null, "after.created_at", "is missing");
    // A timestamp may name a year that no date has, and no store can be asked for what follows it.
    fields.check(!Number.isNaN(after.createdAt?.getTime()), "after.created_at", "must be an instant that there is");
    return {
      limit,
      after: { createdAt: after.createdAt ?? new Date(0), id: fields.id("after.id", kindOf(after.id, kind), after.id) },
    };
  });

/** Reads the page of a list that is never whole: without a limit, it has as many entries as it may. @throws INVALID_ARGUMENT. */
export const readBoundedPage = <K extends IdKind>(
  request: Parameters<typeof readPage<K>>[0],
  kind: K | readonly [K, ...K[]],
): LimitedPage<PublicId<K>> => {
  const { limit, after } = readPage(request, kind);
  return { limit: limit ?? LIMIT_MAX, after };
};

/** A page of a list whose entries have numbers as ids, in the order of these. */
export interface NumberedPage {
  readonly limit: number;
  /** The page begins after the entry with this id; 0 for the beginning of the list. */
  readonly after: number;
}

/** Reads the page of such a list, which is never whole. @throws INVALID_ARGUMENT. */
export const readNumberedPage = (request: {
  readonly limit?: number | null | undefined;
  readonly after?: number | null | undefined;
}): NumberedPage =>
  readFields((fields) => {
    const limit = request.limit ?? LIMIT_MAX;
    checkLimit(fields, limit);
    return { limit, after: request.after ?? 0 };
  });

function checkLimit(fields: FieldReader, limit: number | null): void {
  fields.check(limit === null || (limit >= 1 && limit <= LIMIT_MAX), "limit", `must be from 1 to ${LIMIT_MAX}`);
}

/** The kind whose id it is; the first one when it is none's. */
const kindOf = <K extends IdKind>(id: string, kind: K | readonly [K, ...K[]]): K =>
  typeof kind === "string" ? kind : (kind.find((one) => parseId(one, id) !== undefined) ?? kind[0]);
