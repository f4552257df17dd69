import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { AuditTables } from "./audit.ts";

/** Filter of audit entries; a member that is `undefined` does not restrict. */
export interface AuditFilter {
  readonly object: string | undefined;
  readonly actor: string | undefined;
  /** An action, or `noun.*`. */
  readonly action: string | undefined;
  readonly requestId: string | undefined;
  /** Inclusive lower bound. */
  readonly since: Date | undefined;
  /** Exclusive upper bound. */
  readonly until: Date | undefined;
  /** Sequence numbers below this one. */
  readonly before: number | undefined;
  readonly limit: number;
}

export interface AuditLogEntry {
  /** Its place in the log, as a whole number. */
  readonly number: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly requestId: string;
  /** A JSON object of plain facts. */
  readonly facts: string;
}

/**
 * Entries that one reading scans. The log is indexed by object only, since every change pays for each index; any other
 * filter scans the log backwards, a part at a time.
 */
const AUDIT_LOOKED_AT = 10_000;

/**
 * Matching entries, newest first, and the sequence number below which the next reading continues. A reading may return
 * fewer entries than asked for, or none, although more are left to scan.
 */
export async function readAudit(
  db: Database<unknown>,
  filter: AuditFilter,
  lookedAt = AUDIT_LOOKED_AT,
): Promise<{ readonly entries: readonly AuditLogEntry[]; readonly next: number | undefined }> {
  const log = db as Database<AuditTables>;
  // One more than asked for shows whether there is a next page.
  const found = await fitting(log, filter, lookedAt)
    .limit(filter.limit + 1)
    .execute();
  const rows = found.slice(0, filter.limit);
  const entries = rows.map(({ sequence, request_id: requestId, ...row }) => ({
    ...row,
    number: String(sequence),
    at: new Date(Number(row.at)),
    requestId,
  }));
  if (found.length > filter.limit) return { entries, next: sequenceOf(rows.at(-1)) };
  const edge = await part(log, filter)
    .select(["sequence", "at"])
    .offset(lookedAt - 1)
    .limit(1)
    .executeTakeFirst();
  const isPast = filter.since !== undefined && Number(edge?.at) < filter.since.getTime() - CLOCKS_DIFFER_MS;
  return { entries, next: isPast ? undefined : sequenceOf(edge) };
}

/** The parts of the log that one question without an object looks through, from its end. */
const PARTS_MAX = 20;

/** The newest matching entry; `undefined` when there is none, or none in the last 200,000 entries. */
export async function newestInAudit(
  db: Database<unknown>,
  filter: Partial<Omit<AuditFilter, "before" | "limit">>,
): Promise<AuditLogEntry | undefined> {
  let before: number | undefined;
  for (let part = 0; part < PARTS_MAX; part++) {
    const { entries, next } = await readAudit(db, { ...ANY, ...filter, before, limit: 1 });
    if (entries[0] !== undefined || next === undefined) return entries[0];
    before = next;
  }
  return undefined;
}

const ANY = {
  object: undefined,
  actor: undefined,
  action: undefined,
  requestId: undefined,
  since: undefined,
  until: undefined,
};

// PostgreSQL returns a bigint as text.
const sequenceOf = (row: { readonly sequence: number } | undefined) => row && Number(row.sequence);

/**
 * Sequence and time have the same order, except for overlapping transactions and differing clocks. Their difference is
 * below this.
 */
const CLOCKS_DIFFER_MS = 60_000;

/** The log backwards from its end, or from where the previous reading ended. */
function part(db: Database<AuditTables>, { object, before }: AuditFilter) {
  let query = db.selectFrom("audit_entries").orderBy("sequence", "desc");
  if (object !== undefined) query = query.where("object", "=", object);
  if (before !== undefined) query = query.where("sequence", "<", before);
  return query;
}

function fitting(db: Database<AuditTables>, filter: AuditFilter, lookedAt: number) {
  const { actor, action, requestId, since, until } = filter;
  let query = db
    .selectFrom(part(db, filter).selectAll().limit(lookedAt).as("part"))
    .selectAll()
    .orderBy("sequence", "desc");
  // A peer is every account of it too.
  if (actor !== undefined)
    query = query.where(sql<boolean>`(actor = ${actor} or substr(actor, 1, ${actor.length + 1}) = ${`${actor}:`})`);
  if (requestId !== undefined) query = query.where("request_id", "=", requestId);
  // By `like` the two databases would differ in capitals.
  const noun = action?.endsWith(".*") ? action.slice(0, -1) : undefined;
  if (noun !== undefined) query = query.where(sql<boolean>`substr(action, 1, ${noun.length}) = ${noun}`);
  else if (action !== undefined) query = query.where("action", "=", action);
  if (since !== undefined) query = query.where("at", ">=", since.getTime());
  if (until !== undefined) query = query.where("at", "<", until.getTime());
  return query;
}
