import type { ProblemCode } from "#generated/problems.ts";
import type { Failure, FieldViolation } from "#runtime/basis/errors.ts";
import type { InvalidPart } from "#runtime/http/operation.ts";
import type { Problem } from "./keyed.ts";

/** What a refusal of our services is on the wire, by its reason. Any other one is a fault of ours. */
const PROBLEM_OF: Readonly<Record<string, ProblemCode>> = {
  subscription_not_found: "subscription_not_found",
  secret_not_found: "secret_not_found",
  event_not_found: "event_not_found",
  delivery_not_found: "delivery_not_found",
  recovery_not_found: "recovery_not_found",
  instance_integration_not_found: "instance_integration_not_found",
  instance_integration_revoked: "instance_integration_not_found",
  instance_integration_not_configured: "instance_integration_not_configured",
  too_many_subscriptions: "too_many_subscriptions",
  subscription_pending: "subscription_pending",
  subscription_paused: "subscription_paused",
  subscription_disabled: "subscription_disabled",
  subscription_pull_only: "subscription_pull_only",
  too_many_secrets: "too_many_secrets",
  current_secret: "current_secret",
  delivery_pending: "delivery_pending",
  body_removed: "body_removed",
  recovery_cancelled: "recovery_cancelled",
  recovery_not_over: "recovery_not_over",
  event_type_not_subscribed: "event_type_not_subscribed",
};

/** Limits beside that of the key. */
export const TOO_MANY: readonly string[] = [
  "too_many_test_events",
  "too_many_test_messages",
  "too_many_pings",
  "too_many_waiting",
];

/**
 * The problem of a refusal; `undefined` for what every operation of the gateway has, and for faults of ours. `where` is
 * where the fields of the refused message came from.
 */
export function webhookProblem(failure: Failure, where: "body" | "query"): Problem | undefined {
  const { code, reason, message, violations, retryAfterSeconds } = failure;
  if (code === "RESOURCE_EXHAUSTED" && TOO_MANY.includes(reason))
    return { code: "too_many_requests", detail: message, retryAfterSeconds };
  if (code === "UNAVAILABLE" && reason === "secret_unopened")
    return { code: "unavailable", detail: message, retryAfterSeconds };
  if (reason === "precondition_failed") return { code: "precondition_failed", detail: message };
  if (code === "INVALID_ARGUMENT" && violations.length > 0)
    return { code: "invalid_request", errors: violations.map((violation) => toInvalidPart(violation, where)) };
  const isRefusal = code === "NOT_FOUND" || code === "FAILED_PRECONDITION" || code === "ALREADY_EXISTS";
  const known = isRefusal && Object.hasOwn(PROBLEM_OF, reason) ? PROBLEM_OF[reason] : undefined;
  return known === undefined ? undefined : { code: known };
}

/** Fields of messages that the contract names otherwise. */
const RENAMED: Readonly<Record<string, string>> = { tenantIds: "clientIds", tenantId: "clientId" };
const IN_QUERIES: Readonly<Record<string, string>> = { states: "state", eventType: "type", waitMs: "wait" };
const IN_BODIES: Readonly<Record<string, string>> = { eventType: "type" };

/** `extra_headers[0].name` → `/extraHeaders/0/name`; in a query the name alone. */
function toInvalidPart({ field, reason }: FieldViolation, where: "body" | "query"): InvalidPart {
  const own = where === "body" ? IN_BODIES : IN_QUERIES;
  const parts = field
    .replace(/^options\./, "")
    .split(/[.[\]]+/)
    .filter((part) => part !== "")
    .map((part) => part.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .map((part) => own[part] ?? RENAMED[part] ?? part);
  return { in: where, name: where === "body" ? `/${parts.join("/")}` : (parts[0] ?? ""), detail: reason };
}
