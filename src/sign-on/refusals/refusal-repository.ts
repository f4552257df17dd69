import { sql } from "kysely";
import type { Database } from "#runtime/database/database.ts";
import { byBytes } from "#runtime/database/rows.ts";
import { sweepBeyond } from "#runtime/database/sweeping.ts";
import type { RefusalPage } from "#runtime/refusals/refusal-list.ts";
import type { StoredRefusals } from "#runtime/refusals/refusal-loop.ts";
import type { RefusalsTable, SignOnTables } from "../tables.ts";
import type { SignOnRefusal } from "./refusal.ts";

export interface RefusalRepository extends StoredRefusals<SignOnRefusal> {
  /** Newest first, one more than the page's limit where there are more; of an application, if one is given. */
  list(page: RefusalPage, applicationId: string | undefined): Promise<readonly SignOnRefusal[]>;
}

export const refusalRepository = (db: Database<SignOnTables>): RefusalRepository => ({
  async add(refusals) {
    if (refusals.length === 0) return;
    await db
      .insertInto("sign_on_refusals")
      .values(refusals.map(toRow))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  async find(requestId) {
    const row = await db
      .selectFrom("sign_on_refusals")
      .selectAll()
      .where("request_id", "=", requestId)
      .executeTakeFirst();
    return row && toRefusal(row);
  },
  async list({ limit, before }, applicationId) {
    const id = byBytes(db, "request_id");
    let query = db.selectFrom("sign_on_refusals").selectAll();
    if (applicationId !== undefined) query = query.where("application_id", "=", applicationId);
    if (before !== undefined)
      query = query.where(sql<boolean>`(refused_at, ${id}) < (${before.at.getTime()}, ${before.requestId})`);
    const rows = await query
      .orderBy("refused_at", "desc")
      .orderBy(id, "desc")
      .limit(limit + 1)
      .execute();
    return rows.map(toRefusal);
  },
  removeBeyond: (bounds, signal) =>
    sweepBeyond(db, { table: "sign_on_refusals", key: "request_id", age: "refused_at" }, bounds, signal),
});

const toRow = (refusal: SignOnRefusal): RefusalsTable => ({
  request_id: refusal.requestId,
  refused_at: refusal.at.getTime(),
  operation: refusal.operation,
  check_name: refusal.check,
  error: refusal.error,
  sentence: refusal.sentence,
  application_id: refusal.applicationId ?? null,
  parameters: JSON.stringify(refusal.parameters),
  redirect_uri: refusal.redirectUri ?? null,
});

const toRefusal = (row: RefusalsTable): SignOnRefusal => ({
  requestId: row.request_id,
  at: new Date(row.refused_at),
  operation: row.operation,
  check: row.check_name,
  error: row.error,
  sentence: row.sentence,
  applicationId: row.application_id ?? undefined,
  parameters: JSON.parse(row.parameters) as string[],
  redirectUri: row.redirect_uri ?? undefined,
});
