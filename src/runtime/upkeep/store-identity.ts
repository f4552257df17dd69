import { sql } from "kysely";
import { CannotStart } from "../basis/errors.ts";
import type { Random } from "../basis/random.ts";
import { type AnyTransaction, type Database, isSqlite, seenAs } from "../database/database.ts";
import type { Sealer } from "../sealing/sealing.ts";

export interface IdentityTables {
  store_identities: {
    readonly number: 1;
    readonly store_id: string;
    /** Random bytes, sealed: the master key that opens them is the store's. */
    readonly proof: Buffer;
    readonly epoch: number;
    readonly epoch_began_at: number;
    readonly backed_up_at: number | null;
  };
}

/** Which store this is. */
export interface StoreIdentity {
  readonly storeId: string;
  /** 1, and one more for each restore: what was true in an earlier epoch may have happened otherwise (R-X247). */
  readonly epoch: number;
  readonly epochBeganAt: Date;
  readonly backedUpAt: Date | undefined;
}

const ROW = "store_identities";
const ID_BYTES = 16;
const PROOF_BYTES = 32;
/**
 * What every numbered table leaves out in a new epoch, so that no number of the lost time is given again. Numbers have
 * 31 bits in some tables.
 */
const NUMBERS_LEFT_OUT = 100_000;
/**
 * The same of tables whose numbers have 64 bits and go to others, who compare them or read on from them: more than any
 * installation gives between a backup and its restore.
 */
const NUMBERS_LEFT_OUT_FOR_OTHERS = 1_000_000_000;
const OUTBOX = "outbox_entries";

/** The identity of the store, made at its first start with this program. */
export async function identifyStore(
  db: Database<IdentityTables>,
  { sealer, random, now }: { readonly sealer: Sealer; readonly random: Random; readonly now: Date },
): Promise<StoreIdentity> {
  const found = await findIdentity(db);
  if (found !== undefined) return found;
  await db
    .insertInto("store_identities")
    .values({
      number: 1,
      store_id: random.bytes(ID_BYTES).toString("hex"),
      proof: sealer.seal(random.bytes(PROOF_BYTES), ROW),
      epoch: 1,
      epoch_began_at: now.getTime(),
      backed_up_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await findIdentity(db);
  if (made === undefined) throw new Error("The store's identity was not kept.");
  return made;
}

/** `undefined` for a store that no program with identities has opened yet. */
export async function findIdentity(db: Database<IdentityTables>): Promise<StoreIdentity | undefined> {
  const row = await db.selectFrom("store_identities").selectAll().executeTakeFirst();
  return row === undefined
    ? undefined
    : {
        storeId: row.store_id,
        epoch: row.epoch,
        epochBeganAt: new Date(row.epoch_began_at),
        backedUpAt: row.backed_up_at === null ? undefined : new Date(row.backed_up_at),
      };
}

/**
 * Asserts that the master key fits the store, if the store has a proof.
 * @throws CannotStart.
 */
export async function assertOurs(db: Database<IdentityTables>, sealer: Sealer): Promise<void> {
  const row = await db.selectFrom("store_identities").select("proof").executeTakeFirst();
  if (row === undefined) return;
  try {
    sealer.open(row.proof, ROW);
  } catch (cause) {
    throw new CannotStart(
      "The backup belongs to another installation, or its master key is missing: the master key here does not open it. Put back the master.key, or the master-keys, that the backup was made with.",
      { cause },
    );
  }
}

/** Begins a new epoch and returns it. */
export async function beginEpoch(tx: AnyTransaction, at: Date): Promise<number> {
  const db = seenAs<IdentityTables>(tx);
  await db
    .updateTable("store_identities")
    .set(({ eb }) => ({ epoch: eb("epoch", "+", 1), epoch_began_at: at.getTime() }))
    .execute();
  const { epoch } = await db.selectFrom("store_identities").select("epoch").executeTakeFirstOrThrow();
  return epoch;
}

/**
 * Leaves out numbers that may have been given since the backup, before anything is written (R-X289, R-X294).
 * @param forOthers tables besides the outbox whose numbers go to others.
 */
export async function leaveNumbersOut(tx: AnyTransaction, forOthers: readonly string[]): Promise<void> {
  const db = seenAs<unknown>(tx);
  const known = [OUTBOX, ...forOthers];
  const leftOut = (table: string) => (known.includes(table) ? NUMBERS_LEFT_OUT_FOR_OTHERS : NUMBERS_LEFT_OUT);
  if (isSqlite(db)) {
    // A table that never had a row has no number here yet.
    for (const table of known)
      await sql`
        insert into sqlite_sequence (name, seq)
        select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db);
    const { rows } = await sql<{ readonly name: string }>`select name from sqlite_sequence`.execute(db);
    for (const { name } of rows)
      await sql`update sqlite_sequence set seq = seq + ${leftOut(name)} where name = ${name}`.execute(db);
    return;
  }
  const { rows } = await sql<{ readonly table_name: string; readonly name: string }>`
    select table_name, pg_get_serial_sequence(quote_ident(table_name), column_name) as name
    from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`.execute(db);
  for (const { table_name, name } of rows)
    await sql`select setval(${name}::regclass, nextval(${name}::regclass) + ${leftOut(table_name)})`.execute(db);
}

export async function recordBackup(db: Database<IdentityTables>, at: Date): Promise<void> {
  await db.updateTable("store_identities").set({ backed_up_at: at.getTime() }).execute();
}
