import type { PageStart as PageStartMessage } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { IdKind, PublicId } from "#runtime/basis/ids.ts";
import { readFields } from "./request-fields.ts";

/** Most entries of one page (R-G9). */
const LIMIT_MAX = 1_000;
/** More than any list has, and still a 32-bit number for both databases. */
const NO_LIMIT = 2 ** 31 - 1;

/** Where a page begins: after the entry with this creation time and id. */
export interface PageStart<Id extends string = string> {
  readonly createdAt: Date;
  readonly id: Id;
}

/** The part of a list that is asked for. */
export interface Page<Id extends string = string> {
  /** Null for all that follow. */
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

export const toPageValues = <Id extends string>({ limit, after }: Page<Id>): PageValues<Id> => ({
  afterCreatedAt: after?.createdAt.getTime() ?? Number.MIN_SAFE_INTEGER,
  afterId: after?.id ?? ("" as Id),
  count: limit === null ? NO_LIMIT : limit + 1,
});

/** The entries of the page, and where the next one begins; null on the last page. */
export function cutPage<T>(
  found: readonly T[],
  { limit }: Page,
  startOf: (entry: T) => PageStart,
): { readonly entries: T[]; readonly next: PageStart | null } {
  const entries = found.slice(0, limit ?? found.length);
  const last = entries.at(-1);
  return { entries, next: last !== undefined && found.length > entries.length ? startOf(last) : null };
}

/** Reads the page of a request; `kind` is that of the list's entries. @throws INVALID_ARGUMENT. */
export const readPage = <K extends IdKind>(
  request: { readonly limit?: number | null | undefined; readonly after?: PageStartMessage | null },
  kind: K,
): Page<PublicId<K>> =>
  readFields((fields) => {
    const { limit = null, after = null } = request;
    fields.check(limit === null || (limit >= 1 && limit <= LIMIT_MAX), "limit", `must be from 1 to ${LIMIT_MAX}`);
    if (after === null) return { limit, after };
    fields.check(after.createdAt !== null, "after.created_at", "is missing");
    return { limit, after: { createdAt: after.createdAt ?? new Date(0), id: fields.id("after.id", kind, after.id) } };
  });

/** The same for lists that are never whole: without a limit, a page has as many entries as it may. */
export const readBoundedPage = <K extends IdKind>(
  request: Parameters<typeof readPage<K>>[0],
  kind: K,
): Page<PublicId<K>> => readPage({ ...request, limit: request.limit ?? LIMIT_MAX }, kind);
