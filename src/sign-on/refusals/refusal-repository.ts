import type { Database } from "#runtime/database/database.ts";
import { sweepBeyond } from "#runtime/database/sweeping.ts";
import type { StoredRefusals } from "#runtime/refusals/refusal-loop.ts";
import type { RefusalsTable, SignOnTables } from "../tables.ts";
import type { SignOnRefusal } from "./refusal.ts";

export const refusalRepository = (db: Database<SignOnTables>): StoredRefusals<SignOnRefusal> => ({
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
