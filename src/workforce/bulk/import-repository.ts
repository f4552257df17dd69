import type { Database } from "#runtime/database/database.ts";
import { locked } from "#runtime/database/database.ts";
import { insertRows } from "#runtime/database/rows.ts";
import type { WorkforceTables } from "../tables.ts";
import type { BadLine, ImportPosition } from "./import-position.ts";

/** How far each import came. */
export interface ImportRepository {
  find(importId: string): Promise<ImportPosition | undefined>;
  /** In the order of their numbers. */
  listBadLines(importId: string): Promise<BadLine[]>;
  /** Locks the position, so that two who send the same import take turns; begun when it is new. */
  lock(importId: string, at: Date): Promise<ImportPosition>;
  replace(importId: string, position: ImportPosition, badLines: readonly BadLine[], at: Date): Promise<void>;
  /** Forgets imports that nothing was added to since then. */
  removeBefore(at: Date): Promise<void>;
}

const COLUMNS = ["lines", "created", "unchanged", "bad", "last_number", "end_offset"] as const;

export const importRepository = (db: Database<WorkforceTables>): ImportRepository => {
  const one = (importId: string) =>
    db.selectFrom("workforce_imports").select(COLUMNS).where("import_id", "=", importId);
  return {
    async find(importId) {
      const row = await one(importId).executeTakeFirst();
      return row && toPosition(row);
    },

    listBadLines: (importId) =>
      db
        .selectFrom("workforce_import_bad_lines")
        .select(["number", "reason"])
        .where("import_id", "=", importId)
        .orderBy("number")
        .execute(),

    async lock(importId, at) {
      await db
        .insertInto("workforce_imports")
        .values({
          import_id: importId,
          lines: 0,
          created: 0,
          unchanged: 0,
          bad: 0,
          last_number: 0,
          end_offset: 0,
          updated_at: at.getTime(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return toPosition(await locked(db, one(importId)).executeTakeFirstOrThrow());
    },

    async replace(importId, { lines, created, unchanged, bad, lastNumber, endOffset }, badLines, at) {
      await db
        .updateTable("workforce_imports")
        .set({
          lines,
          created,
          unchanged,
          bad,
          last_number: lastNumber,
          end_offset: endOffset,
          updated_at: at.getTime(),
        })
        .where("import_id", "=", importId)
        .execute();
      const rows = badLines.map(({ number, reason }) => ({ import_id: importId, number, reason }));
      await insertRows(db, "workforce_import_bad_lines", rows);
    },

    async removeBefore(at) {
      await db.deleteFrom("workforce_imports").where("updated_at", "<", at.getTime()).execute();
    },
  };
};

interface PositionRow extends Omit<ImportPosition, "lastNumber" | "endOffset"> {
  readonly last_number: number;
  readonly end_offset: number;
}

const toPosition = ({ last_number, end_offset, ...counts }: PositionRow): ImportPosition => ({
  ...counts,
  lastNumber: last_number,
  endOffset: end_offset,
});
