import type { Database } from "#runtime/database/database.ts";
import { newestFirst } from "#runtime/database/newest-first.ts";
import { sweepBeyond } from "#runtime/database/sweeping.ts";
import type { RefusalPage } from "#runtime/refusals/refusal-list.ts";
import type { StoredRefusals } from "#runtime/refusals/refusal-loop.ts";
import type { RefusalsTable, SignOnTables } from "../tables.ts";
import type { SignOnRefusal } from "./refusal.ts";

/** A refusal with what its application is called now; `undefined` where it named none that is known. */
export interface ListedRefusal extends Omit<SignOnRefusal, "sentence" | "parameters" | "redirectUri"> {
  readonly applicationName: string | undefined;
}

export interface RefusalRepository extends StoredRefusals<SignOnRefusal> {
  /** Newest first, one more than the page's limit where there are more; of an application, if one is given. */
  list(page: RefusalPage, applicationId: string | undefined): Promise<readonly ListedRefusal[]>;
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
  async list(page, applicationId) {
    const { behind, order } = newestFirst(db, page.before);
    const all = db
      .selectFrom("sign_on_refusals as refusal")
      .leftJoin("sign_on_applications as application", "application.id", "refusal.application_id")
      .select(["refusal.request_id", "refused_at", "operation", "check_name", "error", "application_id"])
      .select("application.name as application_name")
      .where(behind);
    const asked = applicationId === undefined ? all : all.where("application_id", "=", applicationId);
    const rows = await asked
      .orderBy(order)
      .limit(page.limit + 1)
      .execute();
    return rows.map((row) => ({
      requestId: row.request_id,
      at: new Date(row.refused_at),
      operation: row.operation,
      check: row.check_name,
      error: row.error,
      applicationId: row.application_id ?? undefined,
      applicationName: row.application_name ?? undefined,
    }));
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
