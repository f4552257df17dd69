import { sql } from "kysely";
import type { Transaction } from "#runtime/database/database.ts";
import type { WebhooksTables } from "../tables.ts";

/** What a delivery sends. */
interface DeliveryBody {
  readonly eventType: string;
  /** `undefined` once it is older than bodies are kept (R-X236). */
  readonly body: Buffer | undefined;
}

export interface DeliveryBodyRepository {
  /** `undefined` when there is no such delivery. */
  find(tx: Transaction<WebhooksTables>, id: string): Promise<DeliveryBody | undefined>;
}

export const deliveryBodyRepository: DeliveryBodyRepository = {
  async find(tx, id) {
    // One statement, and so one instant: a delivery is in one table for it.
    const { rows } = await sql<{ readonly event_type: string; readonly body: Buffer | null }>`
      select event_type, coalesce(new_body.body, old_body.body) as body
      from (
        select sequence, event_type from webhooks_queue where id = ${id}
        union all select sequence, event_type from webhooks_settled where id = ${id}
        union all select sequence, event_type from webhooks_deliveries where id = ${id}
      ) as found
      left join webhooks_delivery_bodies as new_body on new_body.sequence = found.sequence
      left join webhooks_bodies as old_body on old_body.delivery = found.sequence`.execute(tx);
    const [row] = rows;
    return row && { eventType: row.event_type, body: row.body ?? undefined };
  },
};
