import { sql } from "kysely";
import type { Change, Changes } from "#runtime/changes/change.ts";
import { type Database, locked } from "#runtime/database/database.ts";
import { isOneOf } from "#runtime/database/rows.ts";
import { inWindows, type Window } from "#runtime/database/sweeping.ts";
import { allOf, type Eraser } from "#runtime/erasure/erasures.ts";
import { Redactions } from "#runtime/erasure/redaction.ts";
import type { WebhooksTables } from "../tables.ts";
import { type Attempt, attemptsOfText, attemptsToText } from "./attempt.ts";

interface BodyEraserDeps {
  readonly db: Database<WebhooksTables>;
  readonly changes: Changes<WebhooksTables>;
}

const TABLES = ["webhooks_queue", "webhooks_settled"] as const;

type DeliveryTable = (typeof TABLES)[number];

/** A delivery whose body shows something erased, or may have shown it. */
interface Concerned {
  readonly sequence: number;
  readonly table: DeliveryTable;
  /** True when its body shows something erased. */
  readonly isShown: boolean;
}

/**
 * Takes what is erased out of stored bodies, delivered or not, and drops what endpoints answered to them, which may repeat
 * it. A delivery that is still owed is made with the body as it is then (R-X264).
 */
export const bodyEraser = ({ db, changes }: BodyEraserDeps): Eraser => ({
  async erase(erasures, signal) {
    const redactions = new Redactions(allOf(erasures, "redactions"));
    const tenantIds = allOf(erasures, "tenantIds");
    if (redactions.isEmpty || tenantIds.length === 0) return "erased";
    // What an earlier program wrote is moved first.
    if (await db.selectFrom("webhooks_deliveries").select("sequence").limit(1).executeTakeFirst()) return "later";
    let isUnderWay = false;
    await inWindows(db, TABLES, signal, async (window) => {
      const concerned = await listConcerned(window);
      if (concerned.length === 0) return;
      await changes.run(async (change) => {
        for (const { sequence, isShown } of concerned) if (isShown) await redactBody(change, sequence, redactions);
        for (const delivery of concerned) {
          // The answer to an attempt under way is recorded later; those of others are dropped all the same.
          const isDropped = await dropAnswers(change, delivery);
          isUnderWay ||= !isDropped;
        }
      });
    });
    return isUnderWay || signal.aborted ? "later" : "erased";

    async function listConcerned({ after, until }: Window): Promise<readonly Concerned[]> {
      const within = (table: DeliveryTable) => sql`
        select sequence, tenant_id, ${sql.lit(table)} as of_table from ${sql.table(table)}
        where sequence > ${after} and sequence <= ${until}`;
      // One statement, and so one instant: a delivery that is settled or resent meanwhile is in one table for it.
      const { rows } = await sql<{ sequence: number; of_table: DeliveryTable; body: Buffer | null }>`
        select found.sequence, of_table, body
        from (${within("webhooks_queue")} union all ${within("webhooks_settled")}) as found
        left join webhooks_delivery_bodies as sent on sent.sequence = found.sequence
        -- Null for deliveries from before the column, too.
        where tenant_id is null or ${isOneOf(db, "tenant_id", tenantIds)}
        -- Their rows are locked in this order, by every service that erases, and by reports.
        order by found.sequence`.execute(db);
      return rows.flatMap(({ sequence, of_table: table, body }) => {
        const json = body?.toString();
        // What a body showed that was removed by its age is unknown.
        if (json !== undefined && !redactions.concern(json)) return [];
        return [{ sequence, table, isShown: json !== undefined && redactions.redacted(json) !== undefined }];
      });
    }
  },
});

/** From the body as it is now: another service may have taken something else out of it since it was listed. */
async function redactBody({ db }: Change<WebhooksTables>, sequence: number, redactions: Redactions): Promise<void> {
  const stored = db.selectFrom("webhooks_delivery_bodies").select("body").where("sequence", "=", sequence);
  const row = await locked(db, stored).executeTakeFirst();
  const body = row && redactions.redacted(row.body.toString());
  if (body === undefined) return;
  await db
    .updateTable("webhooks_delivery_bodies")
    .set({ body: Buffer.from(body) })
    .where("sequence", "=", sequence)
    .execute();
}

/** What an endpoint can write as it likes. The next attempt is scheduled by then, so no Retry-After is needed. */
const NO_ANSWER = { retryAfter: undefined, responseExcerpt: undefined } as const satisfies Partial<Attempt>;

/** Drops what was answered to a delivery's attempts; false while one of them is under way, or has just ended. */
async function dropAnswers({ db }: Change<WebhooksTables>, { sequence, table }: Concerned): Promise<boolean> {
  const row = await attemptsIn(db, { sequence, table });
  if (row === undefined) return false;
  const attempts = attemptsOfText(row.made);
  if (attempts.some(({ retryAfter, responseExcerpt }) => (retryAfter ?? responseExcerpt) !== undefined))
    await db
      .updateTable(table)
      .set({ made: attemptsToText(attempts.map((attempt) => ({ ...attempt, ...NO_ANSWER }))) })
      .where("sequence", "=", sequence)
      .execute();
  return row.lease_until === null;
}

/** The attempts of a delivery, locked; `undefined` when it has left that table. */
async function attemptsIn(db: Database<WebhooksTables>, { sequence, table }: Pick<Concerned, "sequence" | "table">) {
  if (table === "webhooks_queue") {
    const queued = db.selectFrom(table).select(["made", "lease_until"]).where("sequence", "=", sequence);
    return locked(db, queued).executeTakeFirst();
  }
  // A resend that has taken the row out ends first: the delivery is looked for once more then.
  const settled = db.selectFrom(table).select("made").where("sequence", "=", sequence);
  const row = await locked(db, settled).executeTakeFirst();
  return row && { ...row, lease_until: null };
}
