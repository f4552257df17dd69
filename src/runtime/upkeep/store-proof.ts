import { sql } from "kysely";
import { CannotStart } from "../basis/errors.ts";
import type { Random } from "../basis/random.ts";
import type { AnyDatabase } from "../database/database.ts";
import type { SealedColumn, SealedKind } from "../sealing/purposes.ts";
import { openedIfPossible, type Sealer } from "../sealing/sealing.ts";

const ROW = "store_identities";

/** Where the proof is. */
export const sealedProof: SealedColumn = {
  kind: "storeIdentity",
  table: "store_identities",
  column: "proof",
  key: ["number"],
  rowOf: () => ROW,
};

const PROOF_BYTES = 32;

/** Random bytes, sealed for the store's identity: they only show whether a master key fits. */
export const newProof = (sealer: Sealer, random: Random): Buffer => sealer.seal(random.bytes(PROOF_BYTES), ROW);

export const isOpened = (proof: Uint8Array, sealer: Sealer): boolean =>
  openedIfPossible(sealer, proof, ROW) !== undefined;

/**
 * What says whose a store is: the first kind of which it has values. Every store that was started has signing keys; a
 * proof may have been written by a start with a wrong key (R-X366).
 */
const DECISIVE: readonly SealedKind[] = ["signingKeys", "storeIdentity"];

/**
 * Asserts that the master keys here are the store's; so they are of a store that has nothing sealed yet.
 * @param sealed where every owner stores what a master key seals.
 * @throws CannotStart.
 */
export async function assertOurs(db: AnyDatabase, sealer: Sealer, sealed: readonly SealedColumn[]): Promise<void> {
  for (const kind of DECISIVE) {
    const values = (await Promise.all(sealed.filter((column) => column.kind === kind).map(valuesIn(db)))).flat();
    if (values.length === 0) continue;
    if (values.every(({ value, row }) => openedIfPossible(sealer, value, row) !== undefined)) return;
    throw new CannotStart(
      "The store was sealed with another master key than those that are given: it belongs to another installation, or its master key is missing. Put back the file master.key of its data directory, or the setting master-keys, that it was made with.",
      { exitCode: 65 },
    );
  }
}

const valuesIn =
  (db: AnyDatabase) =>
  async ({ table, column, key, rowOf }: SealedColumn) => {
    const { rows } = await sql<Readonly<Record<string, string | number>> & { readonly sealed_value: Buffer }>`
      select ${sql.join(key.map((name) => sql.ref(name)))}, ${sql.ref(column)} as sealed_value
      from ${sql.table(table)} where length(${sql.ref(column)}) > 0`.execute(db);
    return rows.map((row) => ({ value: row.sealed_value, row: rowOf(...key.map((name) => row[name] ?? "")) }));
  };
