import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WebhooksTables } from "../tables.ts";

/** The youngest ones of an integration whose deliveries are listed; more can only be asked for one by one. */
const SUBSCRIPTIONS_MAX = 200;

/** Whose subscriptions are whose, as far as deliveries ask. */
export interface OwnSubscriptionRepository {
  /** Ids of the integration's subscriptions, the youngest first, deleted ones too. */
  listIds(integrationId: string): Promise<readonly SubscriptionId[]>;
  /** True when the subscription is, or was, the integration's. */
  isOwn(integrationId: string, subscriptionId: string): Promise<boolean>;
}

export const ownSubscriptionRepository = (db: Database<WebhooksTables>): OwnSubscriptionRepository => ({
  async listIds(integrationId) {
    const rows = await db
      .selectFrom("webhooks_subscriptions")
      .select("id")
      .where("integration_id", "=", integrationId)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(SUBSCRIPTIONS_MAX)
      .execute();
    return rows.map(({ id }) => id as SubscriptionId);
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
