import type { Database } from "#runtime/database/database.ts";
import { isOneOf } from "#runtime/database/rows.ts";
import type { WorkforceTables } from "./tables.ts";

type ErasableTable = "workforce_people" | "workforce_units" | "workforce_unit_types";

/** Which of the ids are of erased rows of the table (R-X260). */
export async function listErasedRows<Id extends string>(
  db: Database<WorkforceTables>,
  table: ErasableTable,
  ids: readonly Id[],
): Promise<ReadonlySet<Id>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom(table)
    .select("id")
    .where(isOneOf(db, "id", ids))
    .where("erased_at", "is not", null)
    .execute();
  return new Set(rows.map(({ id }) => id as string as Id));
}
