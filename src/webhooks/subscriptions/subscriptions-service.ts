import { EVENT_TYPES } from "#generated/event-types.ts";
import {
  type CreateSubscriptionRequest,
  type CreateSubscriptionResponse,
  type ListSubscriptionsRequest,
  type ListSubscriptionsResponse,
  SubscriptionState as StateMessage,
  type Subscription as SubscriptionMessage,
} from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type {
  ConnectionsService,
  GetInstanceIntegrationResponse,
} from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { alreadyExists, type FieldViolation, failedPrecondition, invalidArgument } from "#runtime/basis/errors.ts";
import {
  type InstanceId,
  type InstanceIntegrationId,
  type IntegrationId,
  newId,
  parseId,
  type TenantId,
} from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import { isUniqueViolation } from "#runtime/database/database.ts";
import { endOfOutbox } from "#runtime/outbox/outbox.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import { type EndpointRules, endpointUrlProblem } from "../endpoints/endpoint-url.ts";
import type { WebhooksTables } from "../tables.ts";
import { formatSigningSecret, newSigningSecret, signingSecretRow } from "./signing-secret.ts";
import { labelProblem, patternProblem, type Subscription } from "./subscription.ts";
import type { SubscriptionRepository } from "./subscription-repository.ts";

const EVENT_TYPES_MAX = 100;
const TENANTS_MAX = 1_000;
const FIRST_SECRET = 1;

interface SubscriptionsDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly subscriptions: SubscriptionRepository;
  readonly workforce: PromiseClient<typeof ConnectionsService>;
  readonly sealer: Sealer;
  readonly random: Random;
  readonly endpoints: EndpointRules;
}

/**
 * Makes an active subscription of an instance integration. Its signing secret is in the answer, once, and kept sealed.
 * @throws INVALID_ARGUMENT naming every wrong field at once; NOT_FOUND when there is no such instance integration;
 * FAILED_PRECONDITION (instance_integration_not_configured); ALREADY_EXISTS (label_taken).
 */
export const createSubscription =
  (deps: SubscriptionsDeps) =>
  async (request: CreateSubscriptionRequest, call: Call): Promise<CreateSubscriptionResponse> => {
    const violations = check(request, deps.endpoints);
    if (violations.length > 0) throw invalidArgument(violations);
    const { instanceIntegrationId } = request;
    // Workforce is asked before anything is written, never inside the change.
    const connection = await deps.workforce.getInstanceIntegration(
      { instanceIntegrationId },
      { requestId: call.requestId },
    );
    if (!connection.configured) {
      throw failedPrecondition("instance_integration_not_configured", "Instance integration not configured.");
    }
    const secret = newSigningSecret(deps.random);
    const subscription = await store(deps, request, connection, secret, call);
    return { subscription: toMessage(subscription), signingSecret: formatSigningSecret(secret) };
  };

/** Every subscription, or the one with a label, oldest first; never a secret. */
export const listSubscriptions =
  ({ subscriptions }: Pick<SubscriptionsDeps, "subscriptions">) =>
  async ({ label }: ListSubscriptionsRequest): Promise<ListSubscriptionsResponse> => ({
    subscriptions: (await subscriptions.list(label ?? undefined)).map(toMessage),
  });

function check(request: CreateSubscriptionRequest, endpoints: EndpointRules): FieldViolation[] {
  const { label, instanceIntegrationId, endpointUrl, eventTypes, tenantIds } = request;
  const violations: FieldViolation[] = [];
  const refuse = (field: string, problem: string | undefined) => {
    if (problem !== undefined) violations.push({ field, reason: problem });
  };
  refuse("label", labelProblem(label));
  if (parseId("instanceIntegration", instanceIntegrationId) === undefined) {
    refuse("instance_integration_id", "must be the id of an instance integration");
  }
  refuse("endpoint_url", endpointUrlProblem(endpointUrl, endpoints));
  if (eventTypes.length === 0 || eventTypes.length > EVENT_TYPES_MAX) {
    refuse("event_types", `must be 1 to ${EVENT_TYPES_MAX}`);
  }
  for (const [index, pattern] of eventTypes.slice(0, EVENT_TYPES_MAX).entries()) {
    refuse(`event_types[${index}]`, patternProblem(pattern, EVENT_TYPES));
  }
  if (tenantIds.length > TENANTS_MAX) refuse("tenant_ids", `must be at most ${TENANTS_MAX}`);
  for (const [index, tenantId] of tenantIds.slice(0, TENANTS_MAX).entries()) {
    if (parseId("tenant", tenantId) === undefined) refuse(`tenant_ids[${index}]`, "must be the id of a tenant");
  }
  return violations;
}

/** @throws ALREADY_EXISTS when the label is taken, by a faster call too; UNAVAILABLE when the store is busy. */
async function store(
  { changes, subscriptions, sealer, random }: SubscriptionsDeps,
  { label, endpointUrl, eventTypes, tenantIds }: CreateSubscriptionRequest,
  connection: GetInstanceIntegrationResponse,
  secret: Buffer,
  { actor, requestId }: Call,
): Promise<Subscription> {
  const id = newId("subscription", random);
  const sealed = sealer.seal(secret, signingSecretRow(id, FIRST_SECRET));
  try {
    return await changes.run(
      async ({ db, at, audit }) => {
        const eventsAfter = await endOfOutbox(db);
        const subscription: Subscription = {
          id,
          label,
          instanceIntegrationId: connection.instanceIntegrationId as InstanceIntegrationId,
          instanceId: connection.instanceId as InstanceId,
          integrationId: connection.integrationId as IntegrationId,
          endpointUrl,
          eventTypes: [...new Set(eventTypes)],
          tenantIds: [...new Set(tenantIds)] as TenantId[],
          state: "active",
          stateReason: undefined,
          connection: "configured",
          eventsAfter,
          createdAt: at,
        };
        await subscriptions.create(db, subscription, { number: FIRST_SECRET, sealed });
        await audit({ actor, action: "subscription.create", object: id, facts: { label } });
        return subscription;
      },
      { requestId },
    );
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw alreadyExists("label_taken", `Another subscription has the label ${label}.`, { cause: error });
  }
}

/** To operators, a subscription whose instance integration does not let it take part is disabled for that reason. */
function shownState({ state, stateReason, connection }: Subscription): Pick<Subscription, "state" | "stateReason"> {
  const byConnection = connection === "revoked" || (connection === "unconfigured" && state === "active");
  return byConnection
    ? { state: "disabled", stateReason: `instance_integration_${connection}` }
    : { state, stateReason };
}

const toMessage = (subscription: Subscription): SubscriptionMessage => ({
  id: subscription.id,
  label: subscription.label,
  instanceIntegrationId: subscription.instanceIntegrationId,
  endpointUrl: subscription.endpointUrl,
  eventTypes: [...subscription.eventTypes],
  tenantIds: [...subscription.tenantIds],
  state: valueOfLower(StateMessage, shownState(subscription).state),
  stateReason: shownState(subscription).stateReason ?? null,
  createdAt: subscription.createdAt,
  description: "",
  extraHeaders: [],
  secrets: [],
  integrationId: subscription.integrationId,
  updatedAt: subscription.createdAt,
  stateSince: subscription.createdAt,
});
