import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { Failure } from "../basis/errors.ts";
import type { Changes } from "../changes/change.ts";
import type { Database } from "../database/database.ts";
import type { Log } from "../process/log.ts";
import type { Call } from "../rpc/call.ts";
import { SEALED_KINDS, type SealedColumn, type SealedKind } from "../sealing/purposes.ts";
import { KEY_ID_BYTES, type Sealer } from "../sealing/sealing.ts";

/** How many stored values of each kind. */
type SealedCounts = Record<SealedKind, number>;

/** A master key and what it seals. */
interface MasterKeyUse {
  readonly id: string;
  /** In the list of this process: 1 seals, all open. `undefined`: this process does not have the key. */
  readonly place: number | undefined;
  readonly sealed: Readonly<SealedCounts>;
}

/** What became of the values that another master key had sealed. */
interface Resealed {
  readonly masterKeyId: string;
  readonly resealed: SealedCounts;
  /** No master key here opens them, or they are another row's. */
  readonly unopened: SealedCounts;
  /** Changed or removed between the reading and the writing. What changed them has sealed them. */
  readonly changedMeanwhile: SealedCounts;
}

interface ResealDeps {
  readonly db: Database<unknown>;
  readonly changes: Pick<Changes<unknown>, "run">;
  readonly sealer: Sealer;
  readonly columns: readonly SealedColumn[];
  readonly log: Log;
  readonly storeId: string;
  /** Values that one transaction writes: few, so that none keeps the writer for long. */
  readonly batch?: number;
}

const BATCH = 200;

/** Of each master key that is given here, or that seals a stored value: in the order of the list, then by id. */
export async function masterKeyUse(
  db: Database<unknown>,
  { masterKeyIds }: Pick<Sealer, "masterKeyIds">,
  columns: readonly SealedColumn[],
): Promise<readonly MasterKeyUse[]> {
  const uses = new Map<string, SealedCounts>(masterKeyIds.map((id) => [id, noCounts()]));
  for (const { kind, table, column } of columns) {
    const { rows } = await sql<{ readonly id: Buffer; readonly count: number | string }>`
      select ${keyIdIn(column)} as id, count(*) as count from ${sql.table(table)}
      where ${isSealed(column)} group by ${keyIdIn(column)}`.execute(db);
    for (const row of rows) {
      const id = row.id.toString("hex");
      const sealed = uses.get(id) ?? noCounts();
      uses.set(id, sealed);
      sealed[kind] += Number(row.count);
    }
  }
  const missing = [...uses.keys()].filter((id) => !masterKeyIds.includes(id)).toSorted();
  // A key that is in the list twice has its first place.
  return [...new Set([...masterKeyIds, ...missing])].map((id) => ({
    id,
    place: masterKeyIds.includes(id) ? masterKeyIds.indexOf(id) + 1 : undefined,
    sealed: uses.get(id) ?? noCounts(),
  }));
}

/**
 * Seals every stored value under the first master key, a batch at a time. Each value is written only where its bytes are
 * still those that were read, so it is safe beside other processes, and what is done is done when it is interrupted
 * (R-X353). A value that no key here opens is left, and named in the log.
 * @throws CANCELLED between two batches, when the signal is aborted.
 */
export async function reseal(
  deps: ResealDeps,
  { actor, requestId, signal }: Pick<Call, "actor" | "requestId" | "signal">,
): Promise<Resealed> {
  const { db, changes, sealer, columns, log, storeId, batch = BATCH } = deps;
  const [masterKeyId] = sealer.masterKeyIds;
  const done = { resealed: noCounts(), unopened: noCounts(), changedMeanwhile: noCounts() };
  for (const column of columns) {
    const { kind } = column;
    let after: RowKey | undefined;
    do {
      if (signal.aborted)
        throw new Failure("CANCELLED", "cancelled", "Sealing again was given up; what is done stays done.");
      const found = await sealedUnderOthers(db, column, { masterKeyId, after, batch });
      const fresh = found.flatMap((value) => sealedAgain(sealer, value) ?? []);
      for (const value of found.filter(({ key }) => !fresh.some((one) => one.key === key)))
        log.warn("A stored value cannot be opened, and so is not sealed again.", { detail: value.row });
      const written =
        fresh.length === 0
          ? 0
          : await changes.run(
              async ({ db: tx, audit }) => {
                let count = 0;
                for (const value of fresh) if (await write(tx, column, value)) count++;
                const facts = { masterKey: masterKeyId, kind, values: count };
                if (count > 0) await audit({ actor, action: "store.reseal", object: storeId, facts });
                return count;
              },
              { requestId, alone: true },
            );
      done.resealed[kind] += written;
      done.unopened[kind] += found.length - fresh.length;
      done.changedMeanwhile[kind] += fresh.length - written;
      after = found.length < batch ? undefined : found.at(-1)?.key;
      await nextTurn();
    } while (after !== undefined);
  }
  return { masterKeyId, ...done };
}

type RowKey = readonly (string | number)[];

interface StoredValue {
  readonly key: RowKey;
  /** What it is bound to, by which the log names it. */
  readonly row: ReturnType<SealedColumn["rowOf"]>;
  readonly sealed: Buffer;
}

interface FreshValue extends StoredValue {
  readonly fresh: Buffer;
}

/** A batch behind `after`, in the order of the primary key. */
async function sealedUnderOthers(
  db: Database<unknown>,
  { table, column, key, rowOf }: SealedColumn,
  {
    masterKeyId,
    after,
    batch,
  }: { readonly masterKeyId: string; readonly after: RowKey | undefined; readonly batch: number },
): Promise<readonly StoredValue[]> {
  const keys = sql.join(key.map((name) => sql.ref(name)));
  const isBehind = after === undefined ? sql`1 = 1` : sql`(${keys}) > (${sql.join(after)})`;
  const { rows } = await sql<Readonly<Record<string, string | number>> & { readonly sealed_value: Buffer }>`
    select ${keys}, ${sql.ref(column)} as sealed_value from ${sql.table(table)}
    where ${isSealed(column)} and ${keyIdIn(column)} <> ${Buffer.from(masterKeyId, "hex")} and ${isBehind}
    order by ${keys} limit ${sql.lit(batch)}`.execute(db);
  return rows.map((row) => {
    const own = key.map((name) => row[name] ?? "");
    return { key: own, row: rowOf(...own), sealed: row.sealed_value };
  });
}

/** `undefined` for a value that cannot be opened. */
function sealedAgain(sealer: Sealer, value: StoredValue): FreshValue | undefined {
  let opened: Buffer;
  try {
    opened = sealer.open(value.sealed, value.row);
  } catch {
    return undefined;
  }
  return { ...value, fresh: sealer.seal(opened, value.row) };
}

/** False when the value is no longer the one that was read. */
async function write(
  tx: Database<unknown>,
  { table, column, key }: SealedColumn,
  { key: own, sealed, fresh }: FreshValue,
): Promise<boolean> {
  const isRow = sql.join(
    key.map((name, index) => sql`${sql.ref(name)} = ${own[index]}`),
    sql` and `,
  );
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${fresh}
    where ${isRow} and ${sql.ref(column)} = ${sealed}`.execute(tx);
  return numAffectedRows === 1n;
}

const noCounts = (): SealedCounts => Object.fromEntries(SEALED_KINDS.map((kind) => [kind, 0])) as SealedCounts;

/** A null is not longer than anything. */
const isSealed = (column: string): RawBuilder<unknown> => sql`length(${sql.ref(column)}) > 0`;

/** Behind the version of a sealed value. */
const keyIdIn = (column: string): RawBuilder<Buffer> =>
  sql<Buffer>`substr(${sql.ref(column)}, 2, ${sql.lit(KEY_ID_BYTES)})`;
