import { type RawBuilder, sql } from "kysely";
import type { AnyDatabase } from "./database.ts";
import { byBytes } from "./rows.ts";

/**
 * The order of a list of refusals that begins with the newest, alike on every database: by time, then by the bytes of the
 * request id. With it the condition on rows of a page: all, or those behind the last row of the page before.
 */
export function newestFirst(
  db: AnyDatabase,
  before: { readonly at: Date; readonly id: string } | undefined,
): { readonly behind: RawBuilder<boolean>; readonly order: RawBuilder<unknown> } {
  const at = sql.ref("refused_at");
  const id = byBytes(db, "request_id");
  return {
    behind:
      before === undefined
        ? sql<boolean>`1 = 1`
        : sql<boolean>`(${at}, ${id}) < (${before.at.getTime()}, ${before.id})`,
    order: sql`${at} desc, ${id} desc`,
  };
}
