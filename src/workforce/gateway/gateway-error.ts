import { PROBLEMS, type ProblemCode } from "#generated/problems.ts";
import type { Failure, FailureCode } from "#runtime/basis/errors.ts";
import type { AnyReply, InvalidPart } from "#runtime/http/operation.ts";
import type { Missing } from "../failures.ts";
import type { KeyScope } from "../integrations/key-scope.ts";
import type { Wire } from "../wire.ts";

/** What a failure of our services is on the wire; a code or reason without a row does not compile. */
const NOT_FOUND: Readonly<Record<Missing, ProblemCode>> = {
  instance_integration_not_found: "instance_integration_not_found",
  instance_integration_not_configured: "instance_integration_not_configured",
  tenant_not_found: "client_not_found",
  user_not_found: "user_not_found",
  worker_not_found: "worker_not_found",
};

const FAILURES: Readonly<Record<Exclude<FailureCode, "NOT_FOUND">, ProblemCode>> = {
  UNAUTHENTICATED: "unauthorized",
  // Of a key's limit; any other, like a message that is too large, is a fault of ours.
  RESOURCE_EXHAUSTED: "too_many_requests",
  UNAVAILABLE: "unavailable",
  DEADLINE_EXCEEDED: "unavailable",
  CANCELLED: "unavailable",
  ABORTED: "unavailable",
  // The edge has checked the request against the contract; whatever services refuse about it beyond that is our own
  // mistake.
  INVALID_ARGUMENT: "internal_error",
  ALREADY_EXISTS: "internal_error",
  PERMISSION_DENIED: "internal_error",
  FAILED_PRECONDITION: "internal_error",
  UNIMPLEMENTED: "internal_error",
  INTERNAL: "internal_error",
};

const isMissing = (reason: string): reason is Missing => Object.hasOwn(NOT_FOUND, reason);

function problemCodeOf({ code, reason }: Failure): ProblemCode {
  if (code === "PERMISSION_DENIED" && reason === "scope_missing") return "scope_missing";
  if (code === "RESOURCE_EXHAUSTED" && reason !== "rate_limited") return "internal_error";
  if (code !== "NOT_FOUND") return FAILURES[code];
  return isMissing(reason) ? NOT_FOUND[reason] : "internal_error";
}

export interface ProblemFacts {
  /** Origin of the URLs of the pages that describe each kind of problem. */
  readonly gatewayUrl: string;
  readonly requestId: string;
  /** In place of the kind's own sentence. */
  readonly detail?: string;
  readonly errors?: readonly InvalidPart[];
  /** Of a feed, where the kept part begins. */
  readonly keptFrom?: string;
}

/** The body that describes a problem (RFC 9457, R-G1). */
export function problem(
  code: ProblemCode,
  { gatewayUrl, requestId, detail = PROBLEMS[code].detail, errors, keptFrom }: ProblemFacts,
): Wire["Problem"] {
  const { status, title } = PROBLEMS[code];
  const type = `${gatewayUrl}/problems/${code.replaceAll("_", "-")}`;
  const body = { type, title, status, detail, code, message: detail, requestId };
  return {
    ...body,
    ...(errors === undefined ? {} : { errors: [...errors] }),
    ...(keptFrom === undefined ? {} : { keptFrom }),
  };
}

/** Used when services do not say after how many seconds to try again. */
const RETRY_AFTER_SECONDS = 2;

/** A gateway answer that describes a problem, with the headers that the contract requires. */
export function problemReply(code: ProblemCode, facts: ProblemFacts, retryAfterSeconds = RETRY_AFTER_SECONDS) {
  const body = problem(code, facts);
  return {
    status: body.status,
    type: "application/problem+json",
    headers: {
      "Cache-Control": "no-store",
      ...(code === "unauthorized" ? { "WWW-Authenticate": 'ApiKey realm="gateway"' } : {}),
      ...(code === "unavailable" || code === "too_many_requests" ? { "Retry-After": String(retryAfterSeconds) } : {}),
    },
    body,
  } satisfies AnyReply;
}

/**
 * The answer for a failure of our services. Their sentence stays inside: the wire has words of its own. `scope` is the
 * one that the operation asks for.
 */
export function failureReply(failure: Failure, facts: ProblemFacts, scope: KeyScope = "read"): AnyReply {
  const code = problemCodeOf(failure);
  const detail = { detail: `This API key lacks the scope ${scope}.` };
  return problemReply(code, { ...facts, ...(code === "scope_missing" && detail) }, failure.retryAfterSeconds);
}
