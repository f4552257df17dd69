import { sql } from "kysely";
import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WebhooksTables } from "../tables.ts";

/** At most this many subscriptions are listed; others are read by naming one. */
const SUBSCRIPTIONS_MAX = 200;

/** Whose subscriptions are whose, deleted ones too, for what an integration may ask about. */
export interface OwnSubscriptionRepository {
  /** Ids of at most 200 of the integration's subscriptions: existing ones before deleted ones, younger ones first. */
  listIds(integrationId: string): Promise<readonly SubscriptionId[]>;
  /** What the subscriptions that are remembered, deleted ones too, reach or reached. */
  listReached(integrationId: string): Promise<readonly Reached[]>;
  /** True when the subscription is, or was, the integration's. */
  isOwn(integrationId: string, subscriptionId: string): Promise<boolean>;
}

interface Reached {
  readonly instanceId: string;
  readonly instanceIntegrationId: string;
}

export const ownSubscriptionRepository = (db: Database<WebhooksTables>): OwnSubscriptionRepository => ({
  async listIds(integrationId) {
    const rows = await db
      .selectFrom("webhooks_subscriptions")
      .select("id")
      .where("integration_id", "=", integrationId)
      // Who makes and deletes many still sees what the others got.
      .orderBy(sql`case when deleted_at is null then 0 else 1 end`)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(SUBSCRIPTIONS_MAX)
      .execute();
    return rows.map(({ id }) => id as SubscriptionId);
  },
  async listReached(integrationId) {
    const rows = await db
      .selectFrom("webhooks_subscriptions")
      .select(["instance_id", "instance_integration_id"])
      .distinct()
      .where("integration_id", "=", integrationId)
      .execute();
    return rows.map((row) => ({ instanceId: row.instance_id, instanceIntegrationId: row.instance_integration_id }));
  },
  async isOwn(integrationId, subscriptionId) {
    const row = await db
      .selectFrom("webhooks_subscriptions")
      .select("integration_id")
      .where("id", "=", subscriptionId)
      .executeTakeFirst();
    return row?.integration_id === integrationId;
  },
});
