import {
  type GetRecoveryRequest,
  type GetRecoveryResponse,
  type ListRecoveriesRequest,
  type ListRecoveriesResponse,
  type StartRecoveryRequest,
  type StartRecoveryResponse,
  RecoveryState as StateMessage,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { alreadyExists, type FieldViolation, invalidArgument, notFound, WRONG_CURSOR } from "#runtime/basis/errors.ts";
import { idViolations, optionalIdViolations } from "#runtime/basis/id-violation.ts";
import { newTimedId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import { isUniqueViolation } from "#runtime/database/database.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { parseCursor, toCursor } from "../deliveries/cursor.ts";
import type { OwnFilters } from "../deliveries/own-filters.ts";
import { type Scope, sees } from "../subscriptions/scope.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { assertCanSend } from "./can-send.ts";
import { RECOVERIES_CHANNEL, type Recovery, type RecoveryStep } from "./recovery.ts";
import type { RecoveryListFilter, RecoveryRepository } from "./recovery-repository.ts";
import { parseRecoveryRequest } from "./recovery-request.ts";
import { toRecoveryMessage } from "./recovery-wire.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;

interface RecoveriesDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly clock: Clock;
  readonly random: Random;
  readonly recoveries: RecoveryRepository;
  readonly subscriptions: Pick<SubscriptionRepository, "find">;
  readonly filters: OwnFilters;
}

/**
 * Starts a stored job that sends again what was not delivered to a subscription in a time (R-E10, R-X281).
 * @throws INVALID_ARGUMENT naming every wrong field at once, also an integration's with another's tenants; NOT_FOUND for a subscription outside the scope;
 * FAILED_PRECONDITION when nothing can be sent to it now; ALREADY_EXISTS (recovery_not_over) when it has another.
 */
export const startRecovery =
  (deps: RecoveriesDeps) =>
  async (
    scope: Scope,
    request: StartRecoveryRequest,
    { requestId }: Pick<Call, "requestId">,
  ): Promise<StartRecoveryResponse> => {
    const filter = parseRecoveryRequest(request, deps.clock.now());
    if (scope.kind === "integration") await deps.filters.assertOwn(scope.integrationId, filter);
    try {
      const id = await deps.changes.run(
        async ({ db, at, audit, wakeAfter }) => {
          const subscription = await deps.subscriptions.find(db, request.subscriptionId);
          if (subscription === undefined || !sees(scope, subscription))
            throw notFound("subscription_not_found", `There is no subscription ${request.subscriptionId}.`);
          assertCanSend(subscription);
          const id = newTimedId("recovery", at, deps.random);
          await deps.recoveries.create(db, {
            ...filter,
            ...NOTHING_YET,
            id,
            createdAt: at,
            subscriptionId: subscription.id,
            subscriptionLabel: subscription.label,
            integrationId: subscription.integrationId,
          });
          const facts = {
            subscriptionId: subscription.id,
            from: filter.from.toISOString(),
            to: filter.to.toISOString(),
          };
          await audit({ actor: scope.actor, action: "recovery.start", object: id, facts });
          wakeAfter(RECOVERIES_CHANNEL);
          return id;
        },
        { requestId },
      );
      return { recovery: toRecoveryMessage(await get(deps, scope, id)) };
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw alreadyExists(
        "recovery_not_over",
        "The subscription has a recovery that is not over. Wait until it is, or cancel it.",
        { cause: error },
      );
    }
  };

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

/**
 * Recoveries of the scope, newest first, a page at a time.
 * @throws INVALID_ARGUMENT naming every wrong field at once; also for a subscription outside an integration's scope.
 */
export const listRecoveries =
  ({ recoveries, filters }: Pick<RecoveriesDeps, "recoveries" | "filters">) =>
  async (scope: Scope, request: ListRecoveriesRequest): Promise<ListRecoveriesResponse> => {
    const filter = parseListRequest(request, scope);
    if (scope.kind === "integration") await filters.assertOwn(scope.integrationId, request);
    // One more than asked for: it shows whether there is a next page.
    const found = await recoveries.list({ ...filter, limit: filter.limit + 1 });
    const page = found.slice(0, filter.limit);
    const last = page.at(-1);
    return {
      recoveries: page.map(toRecoveryMessage),
      nextCursor: found.length > page.length && last !== undefined ? toCursor(last.sequence) : null,
    };
  };

/** @throws INVALID_ARGUMENT for what is not an id; NOT_FOUND outside the scope. */
export const getRecovery =
  (deps: Pick<RecoveriesDeps, "recoveries">) =>
  async (scope: Scope, { recoveryId }: GetRecoveryRequest): Promise<GetRecoveryResponse> => ({
    recovery: toRecoveryMessage(await get(deps, scope, recoveryId)),
  });

async function get(
  { recoveries }: Pick<RecoveriesDeps, "recoveries">,
  scope: Scope,
  recoveryId: string,
): Promise<Recovery> {
  assertRecoveryId(recoveryId);
  return visible(scope, await recoveries.find(recoveryId), recoveryId);
}

/** @throws INVALID_ARGUMENT for what is not an id of a recovery. */
export function assertRecoveryId(recoveryId: string): void {
  const violations = idViolations("recovery", "recovery_id", recoveryId);
  if (violations.length > 0) throw invalidArgument(violations);
}

/** @throws NOT_FOUND when there is none, or it is outside the scope. */
export function visible(scope: Scope, found: Recovery | undefined, recoveryId: string): Recovery {
  if (found === undefined || !sees(scope, found))
    throw notFound("recovery_not_found", `There is no recovery ${recoveryId}.`);
  return found;
}

function parseListRequest(request: ListRecoveriesRequest, scope: Scope): RecoveryListFilter {
  const { subscriptionId, limit, cursor } = request;
  const violations: FieldViolation[] = optionalIdViolations("subscription", "subscription_id", subscriptionId);
  const states = request.states.map((state) => lowerWordOf(StateMessage, state));
  const before = typeof cursor === "string" ? parseCursor(cursor) : undefined;
  if (states.includes(undefined)) violations.push({ field: "states", reason: "must be known states" });
  if (limit < 0 || limit > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
  if (typeof cursor === "string" && before === undefined) violations.push(WRONG_CURSOR);
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    integrationId: scope.kind === "integration" ? scope.integrationId : undefined,
    subscriptionId: subscriptionId ?? undefined,
    states: [...new Set(states.filter((state) => state !== undefined))],
    before,
    limit: limit === 0 ? LIMIT_DEFAULT : limit,
  };
}
