import type {
  CreateSubscriptionRequest,
  CreateSubscriptionResponse,
  ListSubscriptionsRequest,
  ListSubscriptionsResponse,
  SubscriptionOptions,
} from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type {
  GetSubscriptionRequest,
  GetSubscriptionResponse,
} from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import type {
  ConnectionsService,
  GetInstanceIntegrationResponse,
} from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { alreadyExists, failedPrecondition, invalidArgument, notFound, WRONG_CURSOR } from "#runtime/basis/errors.ts";
import {
  type InstanceId,
  type InstanceIntegrationId,
  type IntegrationId,
  newId,
  type TenantId,
} from "#runtime/basis/ids.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { Random } from "#runtime/basis/random.ts";
import { isUniqueViolation, type Transaction } from "#runtime/database/database.ts";
import { firstMatching } from "#runtime/database/first-matching.ts";
import { endOfOutbox } from "#runtime/outbox/outbox.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { EndpointRules } from "../endpoints/endpoint-url.ts";
import { type NewSecret, newSecret } from "../secrets/new-secret.ts";
import { storeSecret } from "../secrets/stored-secret-service.ts";
import type { WebhooksTables } from "../tables.ts";
import type { SubscriptionChangeDeps } from "./changed-subscription-service.ts";
import { extraHeadersRow, headersToBytes, mergedHeaders } from "./extra-headers.ts";
import type { AssertFreeEndpoint } from "./free-endpoint-service.ts";
import { type Scope, sees } from "./scope.ts";
import type { SendPing } from "./send-ping-service.ts";
import { type ShownSubscriptionDeps, shownSubscription, shownSubscriptions } from "./shown-subscription-service.ts";
import { isPullOnly, type Subscription } from "./subscription.ts";
import { fieldViolations, unknownTenantViolations } from "./subscription-checks.ts";
import { createdFacts } from "./subscription-facts.ts";
import { readSubscriptionFilter } from "./subscription-message.ts";
import { notConfigured, visibleSubscription } from "./subscription-refusals.ts";
import { isPosition, positionOf, type SubscriptionRepository } from "./subscription-repository.ts";

const LIMIT_MAX = 500;
/** Of one integration, made by itself. */
const OWN_MAX = 100;

interface SubscriptionsDeps extends SubscriptionChangeDeps {
  readonly subscriptions: SubscriptionRepository;
  readonly workforce: PromiseClient<typeof ConnectionsService>;
  readonly sealer: Sealer;
  readonly random: Random;
  readonly endpoints: EndpointRules;
  readonly sendPing: SendPing;
  readonly assertFree: AssertFreeEndpoint;
}

const NO_OPTIONS: SubscriptionOptions = { description: "", extraHeaders: [], pingFirst: false, asymmetric: false };

/**
 * Makes a subscription of an instance integration: active, or with `ping_first` pending until its endpoint acknowledges
 * the ping that is sent at once (R-X270). Its signing secret is in the answer, once, and kept sealed. With `check_only`
 * nothing is made, and only the fields are checked.
 * @throws INVALID_ARGUMENT naming every malformed field at once; after that unknown tenants, and last an endpoint of
 * another integration, each alone. NOT_FOUND when the scope has no such instance integration; FAILED_PRECONDITION
 * (instance_integration_not_configured, too_many_subscriptions); ALREADY_EXISTS (label_taken); RESOURCE_EXHAUSTED
 * (too_many_pings) when its ping is one too many (R-X344).
 */
export const createSubscription =
  (deps: SubscriptionsDeps) =>
  async (scope: Scope, request: CreateSubscriptionRequest, call: Call): Promise<CreateSubscriptionResponse> => {
    const options = request.options ?? NO_OPTIONS;
    const { instanceIntegrationId, tenantIds, checkOnly } = request;
    const isKnown = !checkOnly || instanceIntegrationId !== "";
    const violations = fieldViolations(
      isKnown ? CREATE_FIELDS : CREATE_FIELDS.filter((name) => name !== "instanceIntegrationId"),
      { ...request, ...options },
      {
        endpoints: { ...deps.endpoints, namesSettings: scope.kind === "operator" },
        headerNames: [],
      },
    );
    if (violations.length > 0) throw invalidArgument(violations);
    if (checkOnly) return { subscription: null, signingSecret: "" };
    // Workforce is asked before anything is written, never inside the change.
    const connection = await deps.workforce.getInstanceIntegration(
      { instanceIntegrationId, tenantIds },
      { requestId: call.requestId },
    );
    if (!sees(scope, connection)) throw notFound("instance_integration_not_found", "Instance integration not found");
    if (!connection.configured) throw notConfigured();
    const unknown = unknownTenantViolations(tenantIds, connection);
    if (unknown.length > 0) throw invalidArgument(unknown);
    const secret = newSecret("symmetric", options.signingSecret, deps.random);
    const subscription = await store(deps, request, { options, connection, secret, scope }, call);
    return { subscription: await shownSubscription(deps, subscription), signingSecret: secret.shown ?? "" };
  };

const CREATE_FIELDS = [
  "label",
  "instanceIntegrationId",
  "endpointUrl",
  "eventTypes",
  "tenantIds",
  "description",
  "extraHeaders",
  "signingSecret",
] as const;

/** Operators may make any number; an integration cannot fill the store. */
async function assertRoom(
  { subscriptions }: SubscriptionsDeps,
  tx: Transaction<WebhooksTables>,
  scope: Scope,
): Promise<void> {
  if (scope.kind === "operator" || !(await subscriptions.hasMany(tx, scope.integrationId, OWN_MAX))) return;
  throw failedPrecondition(
    "too_many_subscriptions",
    `There are ${OWN_MAX} subscriptions of the integration already. Delete one that is not needed any more.`,
  );
}

/**
 * Subscriptions of the scope that fit the filter, oldest first; never a secret.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listSubscriptions =
  (deps: ShownSubscriptionDeps & Pick<SubscriptionsDeps, "subscriptions">) =>
  async (scope: Scope, request: ListSubscriptionsRequest): Promise<ListSubscriptionsResponse> => {
    const most = request.limit ?? undefined;
    const cursor = request.cursor ?? undefined;
    const { fits, violations: ofFilter } = readSubscriptionFilter(request);
    const violations = [...ofFilter];
    if (most !== undefined && !(most >= 1 && most <= LIMIT_MAX))
      violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
    if (cursor !== undefined && !isPosition(cursor)) violations.push(WRONG_CURSOR);
    if (violations.length > 0) throw invalidArgument(violations);
    // One more than asked for: it shows whether there is a next page.
    const wanted = most === undefined ? undefined : most + 1;
    const read = (after: string | undefined, limit: number | undefined) =>
      deps.subscriptions.list({
        label: request.label ?? undefined,
        integrationId: scope.kind === "operator" ? (request.integrationId ?? undefined) : scope.integrationId,
        after,
        limit,
      });
    const found =
      fits === undefined
        ? await read(cursor, wanted)
        : await firstMatching(wanted ?? Number.POSITIVE_INFINITY, fits, (last, count) =>
            read(last === undefined ? cursor : positionOf(last), count),
          );
    const { entries, next } = cutPage(found, { limit: most ?? found.length }, positionOf);
    return { subscriptions: await shownSubscriptions(deps, entries), nextCursor: next };
  };

/** One subscription of the scope. @throws NOT_FOUND (subscription_not_found). */
export const getSubscription =
  (deps: ShownSubscriptionDeps & Pick<SubscriptionsDeps, "subscriptions">) =>
  async (scope: Scope, { subscriptionId }: GetSubscriptionRequest): Promise<GetSubscriptionResponse> => {
    const found = await deps.subscriptions.find(deps.db, subscriptionId);
    return { subscription: await shownSubscription(deps, visibleSubscription(scope, found, subscriptionId)) };
  };

interface Wanted {
  readonly options: SubscriptionOptions;
  readonly connection: GetInstanceIntegrationResponse;
  readonly secret: NewSecret;
  readonly scope: Scope;
}

/** @throws ALREADY_EXISTS when the label is taken, by a faster call too; UNAVAILABLE when the store is busy. */
async function store(
  deps: SubscriptionsDeps,
  { label, endpointUrl, eventTypes, tenantIds }: CreateSubscriptionRequest,
  { options, connection, secret, scope }: Wanted,
  { requestId }: Call,
): Promise<Subscription> {
  const id = newId("subscription", deps.random);
  const headers = mergedHeaders(options.extraHeaders, []);
  const awaitsPing = !isPullOnly({ endpointUrl }) && (options.pingFirst || scope.kind === "integration");
  try {
    return await deps.changes.run(
      async (change) => {
        const { db, at, audit, mayBeDone } = change;
        const done = mayBeDone ? await deps.subscriptions.find(db, id) : undefined;
        if (done !== undefined) return done;
        await assertRoom(deps, db, scope);
        await deps.assertFree(change, scope, endpointUrl);
        const subscription: Subscription = {
          id,
          label,
          instanceIntegrationId: connection.instanceIntegrationId as InstanceIntegrationId,
          instanceId: connection.instanceId as InstanceId,
          integrationId: connection.integrationId as IntegrationId,
          endpointUrl,
          eventTypes: [...new Set(eventTypes)],
          tenantIds: [...new Set(tenantIds)] as TenantId[],
          state: awaitsPing ? "pending" : "active",
          stateReason: undefined,
          stateSince: at,
          awaitsPing,
          description: options.description,
          extraHeaderNames: headers.map(({ name }) => name),
          sealedHeaders:
            headers.length === 0 ? undefined : deps.sealer.seal(headersToBytes(headers), extraHeadersRow(id)),
          secretsMade: 0,
          connection: "configured",
          eventsAfter: await endOfOutbox(db),
          createdAt: at,
          updatedAt: at,
        };
        const endpointByIntegration = scope.kind === "integration";
        await deps.subscriptions.create(db, subscription, { endpointByIntegration });
        const secrets = [secret, ...(options.asymmetric ? [newSecret("asymmetric", undefined, deps.random)] : [])];
        for (const one of secrets) await storeSecret(deps, db, { subscriptionId: id, secret: one, at });
        await audit({
          actor: scope.actor,
          action: "subscription.create",
          object: id,
          facts: createdFacts(subscription),
        });
        if (awaitsPing) await deps.sendPing(change, subscription, scope);
        return { ...subscription, secretsMade: secrets.length };
      },
      { requestId, recognizesItself: true },
    );
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw alreadyExists("label_taken", `Another subscription has the label ${label}.`, { cause: error });
  }
}
