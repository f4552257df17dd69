import { EVENT_TYPES } from "#generated/event-types.ts";
import {
  RecoveredState,
  type StartRecoveriesRequest,
  type StartRecoveryRequest,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { DAY_MS } from "#runtime/basis/durations.ts";
import { type FieldViolation, invalidArgument, WRONG_CURSOR } from "#runtime/basis/errors.ts";
import { idViolations, optionalIdViolations } from "#runtime/basis/id-violation.ts";
import { readStates } from "../deliveries/list-part.ts";
import { EVENT_TYPES_MAX, RECOVERY_DAYS_MAX, TENANTS_MAX } from "../subscriptions/request-limits.ts";
import { isPosition } from "../subscriptions/subscription-repository.ts";
import type { RecoverableState, RecoveryFilter } from "./recovery.ts";

const STATES: readonly RecoverableState[] = ["exhausted", "skipped"];

/**
 * Which deliveries a request is about, at the instant at which it is made.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const parseRecoveryRequest = (
  request: StartRecoveryRequest,
  at: Date,
  foreign: readonly FieldViolation[] = [],
): RecoveryFilter =>
  parseFilter(request, at, [...foreign, ...idViolations("subscription", "subscription_id", request.subscriptionId)]);

/** What a recovery of each subscription is asked for. */
interface RecoveriesWanted {
  readonly filter: RecoveryFilter;
  /** Of this integration alone. */
  readonly integrationId: string | undefined;
  /** The position behind which subscriptions are taken. */
  readonly after: string | undefined;
}

/** Reads the request for a recovery of each subscription. @throws INVALID_ARGUMENT naming every wrong field at once. */
export function parseRecoveriesRequest(
  request: StartRecoveriesRequest,
  at: Date,
  foreign: readonly FieldViolation[] = [],
): RecoveriesWanted {
  const after = request.cursor ?? undefined;
  const found = [...foreign, ...optionalIdViolations("integration", "integration_id", request.integrationId)];
  if (after !== undefined && !isPosition(after)) found.push(WRONG_CURSOR);
  return { filter: parseFilter(request, at, found), integrationId: request.integrationId ?? undefined, after };
}

function parseFilter(
  request: Omit<StartRecoveryRequest, "subscriptionId">,
  at: Date,
  found: readonly FieldViolation[],
): RecoveryFilter {
  const { from, eventTypes, tenantIds } = request;
  const wanted = readStates(RecoveredState, request.states);
  // What is made from now on is not of the failure.
  const to = new Date(Math.min(request.to?.getTime() ?? Number.POSITIVE_INFINITY, at.getTime()));
  const violations: FieldViolation[] = [...found, ...wanted.violations];
  const refuse = (field: string, reason: string) => violations.push({ field, reason });
  violations.push(...flawsOfRange(from, to));
  if (eventTypes.length > EVENT_TYPES_MAX) refuse("event_types", `must be at most ${EVENT_TYPES_MAX}`);
  for (const [index, eventType] of eventTypes.slice(0, EVENT_TYPES_MAX).entries())
    if (!EVENT_TYPES.some((known) => known === eventType))
      refuse(`event_types[${index}]`, `must be one of ${EVENT_TYPES.join(", ")}`);
  if (tenantIds.length > TENANTS_MAX) refuse("tenant_ids", `must be at most ${TENANTS_MAX}`);
  for (const [index, tenantId] of tenantIds.slice(0, TENANTS_MAX).entries())
    violations.push(...idViolations("tenant", `tenant_ids[${index}]`, tenantId));
  if (violations.length > 0 || !isDate(from)) throw invalidArgument(violations);
  return {
    from,
    to,
    states: wanted.states.length === 0 ? STATES : wanted.states,
    eventTypes: [...new Set(eventTypes)],
    tenantIds: [...new Set(tenantIds)],
  };
}

const isDate = (date: Date | null | undefined): date is Date => date instanceof Date;

function flawsOfRange(from: Date | null | undefined, to: Date): readonly FieldViolation[] {
  const field = "from";
  if (!isDate(from)) return [{ field, reason: "must be a time" }];
  // A year before the first has no form in RFC 3339, by which answers show it.
  if (from.getTime() < 0) return [{ field, reason: "must not be before 1970" }];
  if (from >= to) return [{ field, reason: "must be before `to`, and in the past", named: ["to"] }];
  if (to.getTime() - from.getTime() <= RECOVERY_DAYS_MAX * DAY_MS) return [];
  return [
    {
      field,
      reason: `must be at most ${RECOVERY_DAYS_MAX} days before \`to\`: start a recovery for each part of a longer time`,
      named: ["to"],
    },
  ];
}
