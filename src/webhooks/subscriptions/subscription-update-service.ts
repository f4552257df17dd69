import type {
  UpdateSubscriptionRequest,
  UpdateSubscriptionResponse,
} from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import type { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { Failure, type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { openedIfPossible, type Sealer } from "#runtime/sealing/sealing.ts";
import type { EndpointRules } from "../endpoints/endpoint-url.ts";
import { changedSubscription, type SubscriptionChangeDeps } from "./changed-subscription-service.ts";
import { type ExtraHeader, extraHeadersRow, headersOfBytes, headersToBytes, mergedHeaders } from "./extra-headers.ts";
import type { AssertFreeEndpoint } from "./free-endpoint-service.ts";
import { type Scope, sees } from "./scope.ts";
import type { SendPing } from "./send-ping-service.ts";
import { shownSubscription } from "./shown-subscription-service.ts";
import { originOf, type SubscriptionState } from "./subscription.ts";
import type { LockedSubscription } from "./subscription-change-repository.ts";
import { fieldViolations, unknownTenantViolations } from "./subscription-checks.ts";
import { changedFacts } from "./subscription-facts.ts";
import type { SubscriptionRepository } from "./subscription-repository.ts";

interface UpdateDeps extends SubscriptionChangeDeps {
  readonly subscriptions: Pick<SubscriptionRepository, "find">;
  readonly workforce: PromiseClient<typeof ConnectionsService>;
  readonly sealer: Sealer;
  readonly endpoints: EndpointRules;
  readonly sendPing: SendPing;
  readonly assertFree: AssertFreeEndpoint;
}

/** The paths that an update may name, as the fields of the request. */
const FIELD_OF = {
  endpoint_url: "endpointUrl",
  event_types: "eventTypes",
  tenant_ids: "tenantIds",
  description: "description",
  extra_headers: "extraHeaders",
} as const;

type Path = keyof typeof FIELD_OF;

const PATHS = Object.keys(FIELD_OF) as readonly Path[];

/**
 * Changes only the named fields, under the rules of a new subscription. A changed endpoint has to acknowledge a ping,
 * which is sent at once: an active subscription is pending until then (R-X270). An update without a difference writes
 * nothing.
 * @throws INVALID_ARGUMENT for the mask, alone; after that naming every wrong field at once, unknown tenants too; then for
 * headers whose values cannot be read, and last for an endpoint of another integration, each alone. NOT_FOUND;
 * RESOURCE_EXHAUSTED (too_many_pings) when its ping is one too many (R-X344).
 */
export const updateSubscription =
  (deps: UpdateDeps) =>
  async (
    scope: Scope,
    request: UpdateSubscriptionRequest,
    { requestId }: Call,
  ): Promise<UpdateSubscriptionResponse> => {
    const { subscriptionId, ifMatch } = request;
    const paths = readMask(request);
    // Workforce is asked before anything is written, never inside the change.
    const unknown = paths.includes("tenant_ids") ? await unknownAdded(deps, scope, request, requestId) : [];
    const after = await changedSubscription(
      deps,
      scope,
      { subscriptionId, ifMatch, requestId },
      async (before, change) => {
        const { db, at, audit } = change;
        const headerNames = before.extraHeaderNames;
        const fields = paths.map((path) => FIELD_OF[path]);
        const endpoints = { ...deps.endpoints, namesSettings: scope.kind === "operator" };
        const violations = [
          ...fieldViolations(fields, request, { endpoints, headerNames }),
          ...unknown,
          ...(isToOtherOrigin(before, paths, request) && keepsAHeader(before, paths, request) ? [KEPT] : []),
        ];
        if (violations.length > 0) throw invalidArgument(violations);
        const after = updated(deps, before, paths, request, scope);
        const facts = changedFacts(before, after);
        if (Object.keys(facts).length === 0) return before;
        if (after.endpointUrl !== before.endpointUrl) await deps.assertFree(change, scope, after.endpointUrl);
        await deps.subscriptionChanges.replaceFields(db, before.id, after, at);
        await audit({ actor: scope.actor, action: "subscription.update", object: before.id, facts });
        const state = stateAfter(before, after);
        if (state !== before.state) await deps.subscriptionChanges.replaceState(db, before.id, state, at);
        if (isOtherChoice(before, after) && after.awaitsPing) await deps.sendPing(change, after, scope);
        return { ...after, state, stateSince: state === before.state ? before.stateSince : at, updatedAt: at };
      },
    );
    return { subscription: await shownSubscription(deps, after) };
  };

/** What is wrong with tenants that the update adds; those that the subscription has may have been erased since. */
async function unknownAdded(
  { db, subscriptions, workforce, endpoints }: UpdateDeps,
  scope: Scope,
  { subscriptionId, tenantIds }: UpdateSubscriptionRequest,
  requestId: string,
): Promise<FieldViolation[]> {
  const before = await subscriptions.find(db, subscriptionId);
  const isWrong = fieldViolations(["tenantIds"], { tenantIds }, { endpoints, headerNames: [] }).length > 0;
  if (isWrong || before === undefined || !sees(scope, before) || before.connection === "revoked") return [];
  const { instanceIntegrationId } = before;
  const kept = new Set<string>(before.tenantIds);
  try {
    const { unknownTenantIds } = await workforce.getInstanceIntegration(
      { instanceIntegrationId, tenantIds },
      { requestId },
    );
    return unknownTenantViolations(tenantIds, { unknownTenantIds: unknownTenantIds.filter((id) => !kept.has(id)) });
  } catch (error) {
    // Revoked a moment ago: then nothing is sent any more, and changes work (R-X346).
    if (error instanceof Failure && error.code === "NOT_FOUND") return [];
    throw error;
  }
}

/** True when the endpoint moves to another scheme, host or port. */
function isToOtherOrigin(
  before: LockedSubscription,
  paths: readonly Path[],
  { endpointUrl }: UpdateSubscriptionRequest,
): boolean {
  if (!paths.includes("endpoint_url") || !URL.canParse(endpointUrl)) return false;
  return originOf({ endpointUrl }) !== originOf(before);
}

/** True when an earlier value would be sent on. */
const keepsAHeader = (
  { extraHeaderNames }: LockedSubscription,
  paths: readonly Path[],
  { extraHeaders }: UpdateSubscriptionRequest,
): boolean =>
  paths.includes("extra_headers")
    ? extraHeaders.some(({ value }) => value === undefined || value === null)
    : extraHeaderNames.length > 0;

/** Who may change an endpoint may not read the values, so none of them goes along (R-X272). */
const KEPT: FieldViolation = {
  field: "extra_headers",
  reason: "must be given again with their values, or be empty, when the endpoint moves to another origin",
};

function readMask({ updateMask }: UpdateSubscriptionRequest): readonly Path[] {
  const paths = [...new Set(updateMask ?? [])];
  const known = paths.filter((path): path is Path => (PATHS as readonly string[]).includes(path));
  const violation = (reason: string): FieldViolation => ({ field: "update_mask", reason });
  if (paths.length === 0) throw invalidArgument([violation(`must name at least one of ${PATHS.join(", ")}`)]);
  if (known.length < paths.length) throw invalidArgument([violation(`may name only ${PATHS.join(", ")}`)]);
  return known;
}

function updated(
  { sealer }: Pick<UpdateDeps, "sealer">,
  before: LockedSubscription,
  paths: readonly Path[],
  request: UpdateSubscriptionRequest,
  scope: Scope,
): LockedSubscription {
  const isNamed = (path: Path) => paths.includes(path);
  const endpointUrl = isNamed("endpoint_url") ? request.endpointUrl : before.endpointUrl;
  // An operator who names the address that an integration chose takes it over, so that it can be proven (R-X374).
  const isTakenOver =
    isNamed("endpoint_url") && scope.kind === "operator" && before.endpointByIntegration && before.awaitsPing;
  const isChosen = endpointUrl !== before.endpointUrl || isTakenOver;
  const mustProve = endpointUrl !== "" && !(scope.kind === "operator" && request.skipPing);
  const headers = () => {
    const row = extraHeadersRow(before.id);
    const present = presentHeaders(sealer, before);
    if (present === undefined) assertNoneIsKept(request);
    const merged = mergedHeaders(request.extraHeaders, present ?? []);
    if (JSON.stringify(merged) === JSON.stringify(present)) return {};
    const sealedHeaders = merged.length === 0 ? undefined : sealer.seal(headersToBytes(merged), row);
    return { extraHeaderNames: merged.map(({ name }) => name), sealedHeaders };
  };
  return {
    ...before,
    endpointUrl,
    awaitsPing: isChosen ? mustProve : before.awaitsPing,
    endpointByIntegration: isChosen ? scope.kind === "integration" : before.endpointByIntegration,
    eventTypes: isNamed("event_types") ? [...new Set(request.eventTypes)] : before.eventTypes,
    tenantIds: isNamed("tenant_ids") ? ([...new Set(request.tenantIds)] as TenantId[]) : before.tenantIds,
    description: isNamed("description") ? request.description : before.description,
    ...(isNamed("extra_headers") ? headers() : {}),
  };
}

/** `undefined` when they cannot be opened: then an update can still replace or remove them (R-X21). */
function presentHeaders(sealer: Sealer, { id, sealedHeaders }: LockedSubscription): readonly ExtraHeader[] | undefined {
  if (sealedHeaders === undefined) return [];
  const bytes = openedIfPossible(sealer, sealedHeaders, extraHeadersRow(id));
  return bytes && headersOfBytes(bytes);
}

/** @throws INVALID_ARGUMENT naming each header without a value. */
function assertNoneIsKept({ extraHeaders }: UpdateSubscriptionRequest): void {
  const violations = extraHeaders.flatMap(({ value }, index): FieldViolation[] =>
    typeof value === "string"
      ? []
      : [
          {
            field: `extra_headers[${index}].value`,
            reason: "must be given again, since the present one cannot be read",
          },
        ],
  );
  if (violations.length > 0) throw invalidArgument(violations);
}

/** True when the endpoint is another one, or was taken over by an operator. */
const isOtherChoice = (before: LockedSubscription, after: LockedSubscription): boolean =>
  after.endpointUrl !== before.endpointUrl || after.endpointByIntegration !== before.endpointByIntegration;

/** Only active and pending follow from what the endpoint has acknowledged; a pause or a disabling stays. */
const stateAfter = ({ state }: LockedSubscription, { awaitsPing }: LockedSubscription): SubscriptionState => {
  if (state !== "active" && state !== "pending") return state;
  return awaitsPing ? "pending" : "active";
};
