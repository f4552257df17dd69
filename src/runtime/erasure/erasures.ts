import { hash } from "node:crypto";
import type { Generated } from "kysely";
import { type AnyDatabase, type AnyTransaction, type Database, seenAs } from "../database/database.ts";
import type { MigrationSet } from "../database/migrations.ts";
import { isOneOf } from "../database/rows.ts";
import type { Redaction } from "./redaction.ts";

/** The erasures' table, which all owners share: the domain whose thing is erased appends, the loop finishes (R-D3). */
export interface ErasureTables {
  erasures: {
    readonly sequence: Generated<number>;
    /** Id of what was erased. */
    readonly object: string;
    readonly actor: string;
    readonly request_id: string;
    readonly at: number;
    /** JSON of `ErasureScope`; `{}` once it is finished. */
    readonly scope: string;
    readonly finished_at: number | null;
  };
}

export const erasureMigrations: MigrationSet = {
  owner: "erasure",
  migrations: [
    {
      number: 1,
      name: "erasures",
      statements: ({ sequence, instant, strict }) => [
        `create table erasures (
          sequence ${sequence},
          object text not null,
          actor text not null,
          request_id text not null,
          at ${instant} not null,
          scope text not null,
          finished_at ${instant}
        ) ${strict}`,
        "create index erasures_pending on erasures (sequence) where finished_at is null",
        "create index erasures_object on erasures (object)",
      ],
    },
  ],
};

/** What is still to be erased besides the tables of the domain that began. Holds ids and what is shown in their place. */
export interface ErasureScope {
  /** Whose sign-ins go. */
  readonly people: readonly ErasedPerson[];
  /** The tenants that messages about the thing belong to. */
  readonly tenantIds: readonly string[];
  readonly redactions: readonly Redaction[];
}

export interface ErasedPerson {
  readonly id: string;
  /** `addressDigest` of the e-mail address, by which what was entered before a sign-in is found. */
  readonly addressDigest: string;
}

/** Of an address in the form in which it is compared. Two domains recognise the same address by it, and none has it. */
export const addressDigest = (address: string): string => hash("sha256", address, "base64url");

/** One erasure that is not finished. */
export interface Erasure {
  readonly sequence: number;
  readonly object: string;
  /** Who asked for it, and by which request; for the audit log. */
  readonly actor: string;
  readonly requestId: string;
  readonly scope: ErasureScope;
}

/** A part of the store that erases its own tables. */
export interface Eraser {
  /**
   * Erases what belongs to these. May be repeated, and by several processes at once. `later` when something of it is in
   * use, and when `signal` is aborted: it is called again.
   */
  erase(erasures: readonly Erasure[], signal: AbortSignal): Promise<"erased" | "later">;
}

/** Channel of `wake` on which new erasures are announced. */
export const ERASURES_CHANNEL = "erasures";

/** Appends an erasure in the transaction of the change that began it. */
export async function appendErasure(
  tx: AnyTransaction,
  { object, actor, requestId, scope }: Omit<Erasure, "sequence">,
  at: Date,
): Promise<void> {
  await seenAs<ErasureTables>(tx)
    .insertInto("erasures")
    .values({
      object,
      actor,
      request_id: requestId,
      at: at.getTime(),
      scope: JSON.stringify(scope),
      finished_at: null,
    })
    .execute();
}

/** The oldest erasures that are not finished. */
export async function listPendingErasures(db: Database<ErasureTables>, limit: number): Promise<readonly Erasure[]> {
  const rows = await db
    .selectFrom("erasures")
    .selectAll()
    .where("finished_at", "is", null)
    .orderBy("sequence")
    .limit(limit)
    .execute();
  return rows.map(({ sequence, object, actor, request_id: requestId, scope }) => ({
    sequence,
    object,
    actor,
    requestId,
    scope: JSON.parse(scope) as ErasureScope,
  }));
}

/** Erasures that are read at once. */
const ERASURES_READ = 2_000;

/**
 * Ids of what was erased by erasures that were finished since then, the latest first, in parts: a tenant's may be many. Erasures
 * are finished in about the order in which they began: behind a part of which all were finished earlier, nothing is looked for.
 */
export async function* listErasedSince(db: AnyDatabase, since: Date): AsyncGenerator<readonly string[]> {
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await (db as Database<ErasureTables>)
      .selectFrom("erasures")
      .select(["sequence", "object", "finished_at"])
      .where("sequence", "<", before)
      .orderBy("sequence", "desc")
      .limit(ERASURES_READ)
      .execute();
    yield rows.flatMap(({ object, finished_at: at }) => (at !== null && at >= since.getTime() ? [object] : []));
    const oldest = rows.at(-1);
    const isOver = rows.every(({ finished_at: at }) => at !== null && at < since.getTime());
    if (oldest === undefined || rows.length < ERASURES_READ || isOver) return;
    before = oldest.sequence;
  }
}

/** Marks erasures as finished, and forgets what they were about. */
export async function finishErasures(
  db: Database<ErasureTables>,
  erasures: readonly Erasure[],
  at: Date,
): Promise<void> {
  await db
    .updateTable("erasures")
    .set({ finished_at: at.getTime(), scope: "{}" })
    .where(
      "sequence",
      "in",
      erasures.map(({ sequence }) => sequence),
    )
    .execute();
}

/**
 * When everything was erased that the same requests asked for as the erasures of these objects; `undefined` while
 * something is not, or when there is none.
 */
export async function erasureFinishedAt(db: AnyDatabase, objects: readonly string[]): Promise<Date | undefined> {
  const table = (db as Database<ErasureTables>).selectFrom("erasures");
  const rows = await table
    .select(["request_id", "finished_at"])
    .where(isOneOf(db, "object", objects))
    .execute();
  const last = Math.max(...rows.map(({ finished_at: at }) => (at === null ? Number.POSITIVE_INFINITY : Number(at))));
  if (!Number.isFinite(last)) return undefined;
  const pending = await table
    .select("sequence")
    .where("finished_at", "is", null)
    .where(
      "request_id",
      "in",
      rows.map(({ request_id }) => request_id),
    )
    .limit(1)
    .executeTakeFirst();
  return pending === undefined ? new Date(last) : undefined;
}

/** All that some erasures are about. */
export const allOf = <K extends keyof ErasureScope>(erasures: readonly Erasure[], part: K): ErasureScope[K][number][] =>
  erasures.flatMap(({ scope }): ErasureScope[K][number][] => [...scope[part]]);
