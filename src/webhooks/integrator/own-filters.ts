import type { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import type { FieldViolation } from "#runtime/basis/errors.ts";
import { type IdKind, parseId } from "#runtime/basis/ids.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { OwnSubscriptionRepository } from "../subscriptions/own-subscription-repository.ts";
import { TENANTS_MAX } from "../subscriptions/request-limits.ts";

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
   * is remembered; an instance integration in the same way. What is no id at all is left to others.
   */
  wrongIn(integrationId: string, named: Named): Promise<readonly FieldViolation[]>;
}

interface OwnFiltersDeps {
  readonly subscriptions: Pick<OwnSubscriptionRepository, "isOwn" | "listReached">;
  readonly workforce: Pick<PromiseClient<typeof ConnectionsService>, "listForeign">;
}

const isId = (kind: IdKind, given: string | null | undefined): given is string =>
  typeof given === "string" && parseId(kind, given) !== undefined;

export const ownFilters = ({ subscriptions, workforce }: OwnFiltersDeps): OwnFilters => ({
  async wrongIn(integrationId, { subscriptionId, tenantId, tenantIds = [], instanceIntegrationId }) {
    const violations: FieldViolation[] = [];
    if (isId("subscription", subscriptionId) && !(await subscriptions.isOwn(integrationId, subscriptionId)))
      violations.push({ field: "subscription_id", reason: "must be the id of a subscription of this integration" });
    const tenants = typeof tenantId === "string" ? [tenantId] : tenantIds;
    const known = tenants.slice(0, TENANTS_MAX).filter((id) => isId("tenant", id));
    const connections = isId("instanceIntegration", instanceIntegrationId) ? [instanceIntegrationId] : [];
    if (known.length + connections.length > 0) {
      const reached = await subscriptions.listReached(integrationId);
      const foreign = await workforce.listForeign({
        integrationId,
        formerInstanceIds: [...new Set(reached.map(({ instanceId }) => instanceId))],
        tenantIds: known,
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
    return violations;
  },
});
