import { sql } from "kysely";
import { CannotStart } from "../basis/errors.ts";
import type { Random } from "../basis/random.ts";
import { type AnyDatabase, type AnyTransaction, type Database, isSqlite, seenAs } from "../database/database.ts";
import { instantIn } from "../database/rows.ts";
import type { Log } from "../process/log.ts";
import type { SealedColumn } from "../sealing/purposes.ts";
import type { Sealer } from "../sealing/sealing.ts";
import { assertOurs, isOpened, newProof } from "./store-proof.ts";

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
  /** Tells two epochs of the same number apart: one backup may be restored twice (R-X336). */
  readonly epochBeganAt: Date;
  readonly backedUpAt: Date | undefined;
}

const ID_BYTES = 16;
/**
 * What every numbered table leaves out in a new epoch, so that no number of the lost time is given again. Numbers have
 * 31 bits in some contracts.
 */
const NUMBERS_LEFT_OUT = 100_000;
/**
 * Numbers of 64 bits that go to others, who compare them or read on from them, go on above the milliseconds of the
 * restore times this: more than any store gives in one, so that they are above those of every earlier epoch, also where
 * the store of that epoch is lost (R-X336). A safe integer until the year 2255.
 */
const NUMBERS_PER_MS = 1_000;
/** The least that those tables leave out. */
const NUMBERS_LEFT_OUT_FOR_OTHERS = 1_000_000_000;
const OUTBOX = "outbox_entries";

interface Identifying {
  readonly sealer: Sealer;
  /** Where every owner stores what a master key seals. */
  readonly sealed: readonly SealedColumn[];
  readonly random: Random;
  readonly now: Date;
  /** Of a store without an identity that replaces another one of its installation; a new one otherwise. */
  readonly storeId?: string | undefined;
  readonly log?: Log;
}

/**
 * The identity of the store, made at its first start with this program. A proof of another master key is replaced: the
 * store's own keys open the rest (R-X366).
 * @throws CannotStart before anything of this process is in the store, when the master keys are not the store's.
 */
export async function identifyStore(db: Database<IdentityTables>, identifying: Identifying): Promise<StoreIdentity> {
  const { sealer, sealed, random, now } = identifying;
  await assertOurs(db, sealer, sealed);
  const found = await findIdentity(db);
  if (found !== undefined) {
    await replaceForeignProof(db, identifying);
    return found;
  }
  await db
    .insertInto("store_identities")
    .values({
      number: 1,
      store_id: identifying.storeId ?? random.bytes(ID_BYTES).toString("hex"),
      proof: newProof(sealer, random),
      epoch: 1,
      epoch_began_at: now.getTime(),
      backed_up_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Of two that begin an empty store at once, the other may have been first, with another master key.
  await assertOurs(db, sealer, sealed);
  const made = await findIdentity(db);
  if (made === undefined) throw new Error("The store's identity was not kept.");
  return made;
}

/** Only where the proof is still the one that was read: another process may have sealed it meanwhile. */
async function replaceForeignProof(
  db: Database<IdentityTables>,
  { sealer, random, log }: Pick<Identifying, "sealer" | "random" | "log">,
): Promise<void> {
  const { proof } = await db.selectFrom("store_identities").select("proof").executeTakeFirstOrThrow();
  if (isOpened(proof, sealer)) return;
  await db
    .updateTable("store_identities")
    .set({ proof: newProof(sealer, random) })
    .where("proof", "=", proof)
    .execute();
  log?.warn("The proof of the store's master key was sealed under another key, and was made again.");
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
        backedUpAt: instantIn(row.backed_up_at),
      };
}

/** What the store that a restore replaces says of its epoch and numbers, as far as it can be read. */
export interface ReplacedEpoch {
  readonly epoch: number;
  readonly epochBeganAt: Date;
  /** The last number that each numbered table has given. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** Where a new epoch begins: its number, and a moment that no other epoch of this store has. */
interface NewEpoch {
  readonly epoch: number;
  readonly beganAt: Date;
}

/**
 * The epoch that follows that of the backup and that of the store it replaces. It begins now, or right after theirs
 * where the clock was set back (R-X336).
 */
export function followingEpoch(
  backup: Pick<StoreIdentity, "epoch" | "epochBeganAt">,
  replaced: Pick<ReplacedEpoch, "epoch" | "epochBeganAt"> | undefined,
  now: Date,
): NewEpoch {
  const known = [backup, ...(replaced === undefined ? [] : [replaced])];
  return {
    epoch: Math.max(...known.map(({ epoch }) => epoch)) + 1,
    beganAt: new Date(Math.max(now.getTime(), ...known.map(({ epochBeganAt }) => epochBeganAt.getTime() + 1))),
  };
}

export async function beginEpoch(tx: AnyTransaction, { epoch, beganAt }: NewEpoch): Promise<void> {
  const db = seenAs<IdentityTables>(tx);
  await db.updateTable("store_identities").set({ epoch, epoch_began_at: beganAt.getTime() }).execute();
}

/**
 * Leaves out numbers that may have been given since the backup, before anything is written (R-X289, R-X294, R-X336).
 * @param beganAt when the new epoch begins.
 * @param forOthers tables besides the outbox whose numbers go to others.
 * @param given the last numbers of the store that is replaced, by table.
 */
export async function leaveNumbersOut(
  tx: AnyTransaction,
  beganAt: Date,
  forOthers: readonly string[],
  given: ReplacedEpoch["numbers"] = new Map(),
): Promise<void> {
  const db = seenAs<unknown>(tx);
  const known = [OUTBOX, ...forOthers];
  /** The number behind which a table goes on. */
  const goesOnBehind = (table: string, last: number): number => {
    const highest = Math.max(last, given.get(table) ?? 0);
    return known.includes(table)
      ? Math.max(highest + NUMBERS_LEFT_OUT_FOR_OTHERS, beganAt.getTime() * NUMBERS_PER_MS)
      : highest + NUMBERS_LEFT_OUT;
  };
  if (isSqlite(db)) {
    // A table that never had a row has no number here yet.
    for (const table of new Set([...known, ...given.keys()]))
      await sql`
        insert into sqlite_sequence (name, seq)
        select name, 0 from sqlite_schema
        where name = ${table} and not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db);
    const { rows } = await sql<{ readonly name: string; readonly seq: number }>`
      select name, seq from sqlite_sequence`.execute(db);
    for (const { name, seq } of rows)
      await sql`update sqlite_sequence set seq = ${goesOnBehind(name, seq)} where name = ${name}`.execute(db);
    return;
  }
  for (const { table, name, given, highest } of await numbersOf(db))
    await sql`select setval(${name}::regclass, ${goesOnBehind(table, Math.max(given, highest) + 1)})`.execute(db);
}

interface Numbers {
  readonly table: string;
  /** The sequence's, for SQL. */
  readonly name: string;
  /** The last number that the sequence gave; 0 when it gave none. */
  readonly given: number;
  /** Of the rows that are there, and of those elsewhere that have its numbers; 0 when there are none. */
  readonly highest: number;
}

/** Columns with numbers of numbered tables whose rows leave them, by these tables. */
type NumbersElsewhere = Readonly<Record<string, readonly (readonly [table: string, column: string])[]>>;

/** The numbers of every numbered table of a PostgreSQL. */
async function numbersOf(db: AnyDatabase, elsewhere: NumbersElsewhere = {}): Promise<readonly Numbers[]> {
  const { rows } = await sql<{ readonly table: string; readonly number: string; readonly name: string }>`
    select table_name as "table", column_name as number,
      pg_get_serial_sequence(quote_ident(table_name), column_name) as name
    from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'
    order by table_name`.execute(db);
  if (rows.length === 0) return [];
  // A number is given before its row is committed: rows are as of the statement's beginning, sequences as they are.
  const each = rows.map(({ table, number, name }) => {
    const columns = [[table, number] as const, ...(elsewhere[table] ?? [])];
    const highest = columns.map(([there, column]) => sql`(select max(${sql.ref(column)}) from ${sql.table(there)})`);
    return sql`
      select cast(${table} as text) as "table", cast(${name} as text) as name,
        (select case when is_called then last_value else last_value - 1 end from ${sql.raw(name)}) as given,
        coalesce(greatest(${sql.join(highest)}), 0) as highest`;
  });
  return (await sql<Numbers>`${sql.join(each, sql` union all `)}`.execute(db)).rows;
}

/**
 * Asserts that no sequence of a PostgreSQL is behind its rows: one that was moved by logical replication, or by a dump of
 * rows alone, has sequences that begin again, and would give numbers twice, also those that others know. An outbox or queue
 * is mostly empty: its numbers are looked for elsewhere, too.
 * @throws CannotStart naming the tables.
 */
export async function assertNumbersGoOn(db: AnyDatabase, elsewhere: NumbersElsewhere): Promise<void> {
  const behind = (await numbersOf(db, elsewhere)).filter(({ given, highest }) => given < highest);
  if (behind.length > 0)
    throw new CannotStart(
      `The PostgreSQL store was moved without its sequences, as logical replication does: numbers that ${behind.map(({ table }) => table).join(", ")} have would be given again. Set every sequence to what it was on the previous server, or run:`,
      { exitCode: 65, command: "gatehouse store restored" },
    );
}

export async function recordBackup(db: Database<IdentityTables>, at: Date): Promise<void> {
  await db.updateTable("store_identities").set({ backed_up_at: at.getTime() }).execute();
}
