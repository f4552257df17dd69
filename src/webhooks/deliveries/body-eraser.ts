import type { Changes } from "#runtime/changes/change.ts";
import { isOneOf } from "#runtime/database/batch.ts";
import type { Database } from "#runtime/database/database.ts";
import { inWindows } from "#runtime/database/sweeping.ts";
import { allOf, type Eraser } from "#runtime/erasure/erasures.ts";
import { Redactions } from "#runtime/erasure/redaction.ts";
import type { WebhooksTables } from "../tables.ts";

interface BodyEraserDeps {
  readonly db: Database<WebhooksTables>;
  readonly changes: Changes<WebhooksTables>;
}

/**
 * Takes what is erased out of stored bodies, delivered or not, and drops what endpoints answered to them, which may repeat
 * it. A delivery that is still owed is made with the body as it is then (R-X264).
 */
export const bodyEraser = ({ db, changes }: BodyEraserDeps): Eraser => ({
  name: "webhook bodies",
  async erase(erasures, signal) {
    const redactions = new Redactions(allOf(erasures, "redactions"));
    const tenantIds = allOf(erasures, "tenantIds");
    if (redactions.isEmpty || tenantIds.length === 0) return "erased";
    const range = await db
      .selectFrom("webhooks_bodies")
      .select(({ fn }) => [fn.min("delivery").as("from"), fn.max("delivery").as("to")])
      .executeTakeFirst();
    let isUnderWay = false;
    await inWindows({ from: Number(range?.from ?? 0), to: Number(range?.to ?? 0) }, signal, async (window) => {
      const concerned = await listConcerned(window);
      if (concerned.length === 0) return;
      await changes.run(async (change) => {
        for (const { delivery, redacted } of concerned)
          if (redacted !== undefined)
            await change.db
              .updateTable("webhooks_bodies")
              .set({ body: Buffer.from(redacted) })
              .where("delivery", "=", delivery)
              .execute();
        const deliveries = concerned.map(({ delivery }) => delivery);
        await change.db
          .updateTable("webhooks_attempts")
          .set({ response_excerpt: null })
          .where("delivery", "in", deliveries)
          .where("response_excerpt", "is not", null)
          .execute();
        const flying = await change.db
          .selectFrom("webhooks_attempts")
          .select("delivery")
          .where("delivery", "in", deliveries)
          .where("outcome", "=", "in_flight")
          .limit(1)
          .executeTakeFirst();
        // Its answer is recorded later.
        isUnderWay ||= flying !== undefined;
      });
    });
    return isUnderWay || signal.aborted ? "later" : "erased";

    async function listConcerned({ after, until }: { readonly after: number; readonly until: number }) {
      const rows = await db
        .selectFrom("webhooks_deliveries as delivery")
        .innerJoin("webhooks_bodies as sent", "sent.delivery", "delivery.sequence")
        .select(["sent.delivery", "sent.body"])
        .where("delivery.sequence", ">", after)
        .where("delivery.sequence", "<=", until)
        .where(({ or, eb }) =>
          // Null for deliveries from before the column, too.
          or([isOneOf(db, "delivery.tenant_id", tenantIds), eb("delivery.tenant_id", "is", null)]),
        )
        .execute();
      return rows.flatMap(({ delivery, body }) => {
        const json = body.toString();
        return redactions.concern(json) ? [{ delivery, redacted: redactions.redacted(json) }] : [];
      });
    }
  },
});
