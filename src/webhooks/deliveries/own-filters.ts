import type { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { OwnSubscriptionRepository } from "./own-subscription-repository.ts";

/** What a list's filter, or a recovery's, names of an integration's own. */
interface Named {
  readonly subscriptionId?: string | null | undefined;
  readonly tenantId?: string | null | undefined;
  readonly tenantIds?: readonly string[];
  readonly instanceIntegrationId?: string | null | undefined;
}

/** Whether a filter names what is the integration's own; another's gets the answer of one that there is not (R-X298). */
export interface OwnFilters {
  /**
   * A subscription that is or was its own; tenants of an instance that it reaches, or has reached by a subscription that
   * is remembered; an instance integration in the same way.
   * @throws INVALID_ARGUMENT naming every wrong field at once.
   */
  assertOwn(integrationId: string, named: Named): Promise<void>;
}

interface OwnFiltersDeps {
  readonly subscriptions: Pick<OwnSubscriptionRepository, "isOwn" | "listReached">;
  readonly workforce: Pick<PromiseClient<typeof ConnectionsService>, "listForeign">;
}

export const ownFilters = ({ subscriptions, workforce }: OwnFiltersDeps): OwnFilters => ({
  async assertOwn(integrationId, { subscriptionId, tenantId, tenantIds = [], instanceIntegrationId }) {
    const violations: FieldViolation[] = [];
    if (typeof subscriptionId === "string" && !(await subscriptions.isOwn(integrationId, subscriptionId)))
      violations.push({ field: "subscription_id", reason: "must be the id of a subscription of this integration" });
    const tenants = typeof tenantId === "string" ? [tenantId] : tenantIds;
    const connections = typeof instanceIntegrationId === "string" ? [instanceIntegrationId] : [];
    if (tenants.length + connections.length > 0) {
      const reached = await subscriptions.listReached(integrationId);
      const foreign = await workforce.listForeign({
        integrationId,
        formerInstanceIds: [...new Set(reached.map(({ instanceId }) => instanceId))],
        tenantIds: [...tenants],
        instanceIntegrationIds: connections.filter((id) => !reached.some((own) => own.instanceIntegrationId === id)),
      });
      if (foreign.instanceIntegrationIds.length > 0)
        violations.push({ field: "instance_integration_id", reason: "must be one of this integration" });
      const isForeign = new Set(foreign.tenantIds);
      for (const [index, id] of tenants.entries())
        if (isForeign.has(id))
          violations.push({
            field: typeof tenantId === "string" ? "tenant_id" : `tenant_ids[${index}]`,
            reason: "must be one of an instance of this integration",
          });
    }
    if (violations.length > 0) throw invalidArgument(violations);
  },
});
