import type {
  Recovery as RecoveryMessage,
  RecoveryNotStarted,
  StartRecoveriesRequest,
  StartRecoveriesResponse,
  StartRecoveryRequest,
  StartRecoveryResponse,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { alreadyExists, type FieldViolation } from "#runtime/basis/errors.ts";
import { newTimedId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { OwnFilters } from "../integrator/own-filters.ts";
import type { Scope } from "../subscriptions/scope.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { visibleSubscription } from "../subscriptions/subscription-refusals.ts";
import { positionOf, type SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { assertRecoverable, whyUnrecoverable } from "./recoverable.ts";
import { RECOVERIES_CHANNEL, type Recovery, type RecoveryFilter, type RecoveryStep } from "./recovery.ts";
import type { NewRecovery, RecoveryRepository } from "./recovery-repository.ts";
import { parseRecoveriesRequest, parseRecoveryRequest } from "./recovery-request.ts";
import { toRecoveryMessage } from "./recovery-wire.ts";

/** Subscriptions of one call, and of one transaction. */
const SUBSCRIPTIONS_PER_CALL = 100;

interface StartDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly clock: Clock;
  readonly random: Random;
  readonly recoveries: RecoveryRepository;
  readonly subscriptions: Pick<SubscriptionRepository, "find" | "list">;
  readonly filters: OwnFilters;
}

/**
 * Starts a stored job that sends again what was not delivered to a subscription in a time range (R-E10, R-X281).
 * @throws INVALID_ARGUMENT naming every wrong field at once, tenants of others in an integration's request too; NOT_FOUND
 * for a subscription outside the scope; FAILED_PRECONDITION when nothing can be sent to it now; ALREADY_EXISTS
 * (recovery_not_over) when it has another.
 */
export const startRecovery =
  (deps: StartDeps) =>
  async (
    scope: Scope,
    request: StartRecoveryRequest,
    { requestId }: Pick<Call, "requestId">,
  ): Promise<StartRecoveryResponse> => {
    const filter = parseRecoveryRequest(request, deps.clock.now(), await foreignIn(deps, scope, request));
    return await deps.changes.run(
      async (change) => {
        const found = await deps.subscriptions.find(change.db, request.subscriptionId);
        const subscription = visibleSubscription(scope, found, request.subscriptionId);
        assertRecoverable(subscription);
        const recovery = await startOne(deps, change, { scope, subscription, filter });
        if (recovery === undefined) throw alreadyExists("recovery_not_over", UNFINISHED);
        return { recovery: toRecoveryMessage(recovery) };
      },
      { requestId },
    );
  };

/**
 * Starts one for each subscription of the scope, or of one integration, that can be sent to and has no unfinished
 * recovery; the others are named with the reason (R-X360). One call is about 100 subscriptions.
 * @throws INVALID_ARGUMENT naming every wrong field at once, tenants of others in an integration's request too.
 */
export const startRecoveries =
  (deps: StartDeps) =>
  async (
    scope: Scope,
    request: StartRecoveriesRequest,
    { requestId }: Pick<Call, "requestId">,
  ): Promise<StartRecoveriesResponse> => {
    const foreign = await foreignIn(deps, scope, request);
    const { filter, integrationId, after } = parseRecoveriesRequest(request, deps.clock.now(), foreign);
    return await deps.changes.run(
      async (change) => {
        // One more than is started: it shows whether there are others.
        const found = await deps.subscriptions.list(
          {
            integrationId: scope.kind === "integration" ? scope.integrationId : integrationId,
            after,
            limit: SUBSCRIPTIONS_PER_CALL + 1,
          },
          change.db,
        );
        const subscriptions = found.slice(0, SUBSCRIPTIONS_PER_CALL);
        const recoveries: RecoveryMessage[] = [];
        const notStarted: RecoveryNotStarted[] = [];
        for (const subscription of subscriptions) {
          const { id: subscriptionId, label: subscriptionLabel } = subscription;
          const why = whyUnrecoverable(subscription);
          const recovery = why ? undefined : await startOne(deps, change, { scope, subscription, filter });
          if (recovery !== undefined) recoveries.push(toRecoveryMessage(recovery));
          else notStarted.push({ subscriptionId, subscriptionLabel, ...(why ?? HAS_ANOTHER) });
        }
        const last = subscriptions.at(-1);
        const isMore = found.length > subscriptions.length && last !== undefined;
        return { recoveries, notStarted, nextCursor: isMore ? positionOf(last) : null };
      },
      { requestId },
    );
  };

/** Tenants that are not the integration's own; operators name any. */
const foreignIn = async (
  { filters }: StartDeps,
  scope: Scope,
  { tenantIds }: Pick<StartRecoveryRequest, "tenantIds">,
): Promise<readonly FieldViolation[]> =>
  scope.kind === "integration" ? await filters.wrongIn(scope.integrationId, { tenantIds }) : [];

const UNFINISHED = "The subscription has an unfinished recovery. Wait until it has ended, or cancel it.";
const HAS_ANOTHER = { reason: "recovery_not_over", sentence: UNFINISHED };

interface Started {
  readonly scope: Scope;
  readonly subscription: Subscription;
  readonly filter: RecoveryFilter;
}

/** The new recovery; `undefined` when the subscription has an unfinished one. */
async function startOne(
  { random, recoveries }: StartDeps,
  { db, at, audit, wakeAfter }: Change<WebhooksTables>,
  { scope, subscription, filter }: Started,
): Promise<NewRecovery | undefined> {
  const recovery: NewRecovery = {
    ...filter,
    ...NOTHING_YET,
    id: newTimedId("recovery", at, random),
    createdAt: at,
    subscriptionId: subscription.id,
    subscriptionLabel: subscription.label,
    integrationId: subscription.integrationId,
  };
  if (!(await recoveries.create(db, recovery))) return undefined;
  const facts = { subscriptionId: subscription.id, from: filter.from.toISOString(), to: filter.to.toISOString() };
  await audit({ actor: scope.actor, action: "recovery.start", object: recovery.id, facts });
  wakeAfter(RECOVERIES_CHANNEL);
  return recovery;
}

const NOTHING_YET: RecoveryStep & Pick<Recovery, "endedAt"> = {
  state: "running",
  reason: undefined,
  endedAt: undefined,
  countedTo: 0,
  isCounted: false,
  sentTo: 0,
  isAllFound: false,
  matched: 0,
  sent: 0,
  acknowledged: 0,
  failed: 0,
  bodyRemoved: 0,
  failedInRow: 0,
};
