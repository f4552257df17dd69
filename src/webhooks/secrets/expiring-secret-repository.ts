import { sql } from "kysely";
import type { InstanceId, InstanceIntegrationId, SubscriptionId } from "#runtime/basis/ids.ts";
import { isSqlite, type Transaction } from "#runtime/database/database.ts";
import type { SecretFacts } from "../operational/operational-event.ts";
import type { WebhooksTables } from "../tables.ts";

/** Secrets that were replaced and still sign. */
export interface ExpiringSecretRepository {
  /**
   * Marks those as announced at `at` that sign then and no longer at `before`, the soonest first; returns them. Omits
   * what another process is announcing.
   */
  announce(
    tx: Transaction<WebhooksTables>,
    wanted: { readonly at: Date; readonly before: Date; readonly limit: number },
  ): Promise<readonly SecretFacts[]>;
}

export const expiringSecretRepository: ExpiringSecretRepository = {
  async announce(tx, { at, before, limit }) {
    const { rows } = await sql<ExpiringRow>`
      select secret.subscription_id, secret.number, secret.expires_at, secret.created_at, label, instance_id,
        instance_integration_id
      from webhooks_signing_secrets as secret
      join webhooks_subscriptions as subscription on subscription.id = secret.subscription_id
      where expires_at is not null and expires_at > ${at.getTime()} and expires_at <= ${before.getTime()}
        and expiry_announced_at is null
      order by expires_at limit ${limit} + 0
      ${isSqlite(tx) ? sql`` : sql`for update of secret skip locked`}`.execute(tx);
    for (const { subscription_id, number } of rows)
      await tx
        .updateTable("webhooks_signing_secrets")
        .set({ expiry_announced_at: at.getTime() })
        .where("subscription_id", "=", subscription_id)
        .where("number", "=", number)
        .execute();
    return rows.map(toFacts);
  },
};

interface ExpiringRow {
  readonly subscription_id: string;
  readonly number: number;
  readonly expires_at: number;
  readonly created_at: number;
  readonly label: string;
  readonly instance_id: string;
  readonly instance_integration_id: string;
}

const toFacts = (row: ExpiringRow): SecretFacts => ({
  subscriptionId: row.subscription_id as SubscriptionId,
  instanceIntegrationId: row.instance_integration_id as InstanceIntegrationId,
  instanceId: row.instance_id as InstanceId,
  label: row.label,
  number: row.number,
  expiresAt: new Date(row.expires_at),
  createdAt: new Date(row.created_at),
});
