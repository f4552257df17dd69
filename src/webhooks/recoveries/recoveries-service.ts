import {
  type GetRecoveryRequest,
  type GetRecoveryResponse,
  type ListRecoveriesRequest,
  type ListRecoveriesResponse,
  RecoveryState as StateMessage,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { type Failure, type FieldViolation, invalidArgument, notFound } from "#runtime/basis/errors.ts";
import { idViolations, optionalIdViolations } from "#runtime/basis/id-violation.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import { toCursor } from "../deliveries/cursor.ts";
import { readListPart, readStates } from "../deliveries/list-part.ts";
import type { OwnFilters } from "../integrator/own-filters.ts";
import { type Scope, sees } from "../subscriptions/scope.ts";
import type { Recovery } from "./recovery.ts";
import type { RecoveryListFilter, RecoveryRepository } from "./recovery-repository.ts";
import { toRecoveryMessage } from "./recovery-wire.ts";

interface RecoveriesDeps {
  readonly recoveries: RecoveryRepository;
  readonly filters: OwnFilters;
}

/**
 * Recoveries of the scope, newest first, a page at a time.
 * @throws INVALID_ARGUMENT naming every wrong field at once; also for a subscription outside an integration's scope.
 */
export const listRecoveries =
  ({ recoveries, filters }: RecoveriesDeps) =>
  async (scope: Scope, request: ListRecoveriesRequest): Promise<ListRecoveriesResponse> => {
    const foreign = scope.kind === "integration" ? await filters.wrongIn(scope.integrationId, request) : [];
    const filter = parseListRequest(request, scope, foreign);
    const found = await recoveries.list({ ...filter, limit: filter.limit + 1 });
    const { entries, next } = cutPage(found, filter, ({ sequence }) => toCursor(sequence));
    return { recoveries: entries.map(toRecoveryMessage), nextCursor: next };
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

export const unknownRecovery = (recoveryId: string): Failure =>
  notFound("recovery_not_found", `There is no recovery ${recoveryId}.`);

/** @throws NOT_FOUND when there is none, or it is outside the scope. */
export function visible(scope: Scope, found: Recovery | undefined, recoveryId: string): Recovery {
  if (found === undefined || !sees(scope, found)) throw unknownRecovery(recoveryId);
  return found;
}

function parseListRequest(
  request: ListRecoveriesRequest,
  scope: Scope,
  found: readonly FieldViolation[],
): RecoveryListFilter {
  const { subscriptionId } = request;
  const wanted = readStates(StateMessage, request.states);
  const { before, limit, violations: ofPart } = readListPart(request);
  const ofSubscription = optionalIdViolations("subscription", "subscription_id", subscriptionId);
  const violations = [...found, ...ofSubscription, ...wanted.violations, ...ofPart];
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    integrationId: scope.kind === "integration" ? scope.integrationId : undefined,
    subscriptionId: subscriptionId ?? undefined,
    states: wanted.states,
    before,
    limit,
  };
}
