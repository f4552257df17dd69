import { type RawBuilder, sql } from "kysely";
import type { AnyDatabase } from "./database.ts";
import { byBytes } from "./rows.ts";

/** The columns, or the values of a row, by which a list has its order: an instant in Unix milliseconds, and an id. */
interface Place<At> {
  readonly at: At;
  readonly id: string;
}

/**
 * The order of a list that begins with the newest, alike on every database: by time, then by the bytes of the id. With it
 * the condition on rows of a page: all, or those behind the last row of the page before.
 */
export function newestFirst(
  db: AnyDatabase,
  columns: Place<string>,
  before: Place<Date> | undefined,
): { readonly behind: RawBuilder<boolean>; readonly order: RawBuilder<unknown> } {
  const at = sql.ref(columns.at);
  const id = byBytes(db, columns.id);
  return {
    behind:
      before === undefined
        ? sql<boolean>`1 = 1`
        : sql<boolean>`(${at}, ${id}) < (${before.at.getTime()}, ${before.id})`,
    order: sql`${at} desc, ${id} desc`,
  };
}
