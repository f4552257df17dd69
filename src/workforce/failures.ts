import { alreadyExists, Failure, type FailureOptions, failedPrecondition, notFound } from "#runtime/basis/errors.ts";
import type { ApiKeyId, UserId, WorkerId } from "#runtime/basis/ids.ts";

/** Why the methods of the gateway find nothing. The edge gives each its problem (gateway/gateway-error.ts). */
export type Missing =
  | "instance_integration_not_found"
  | "instance_integration_not_configured"
  | "tenant_not_found"
  | "user_not_found"
  | "worker_not_found";

const SENTENCES: Readonly<Record<Missing, string>> = {
  instance_integration_not_found: "Instance integration not found",
  instance_integration_not_configured: "Instance integration not configured",
  tenant_not_found: "Tenant not found",
  user_not_found: "User not found",
  worker_not_found: "Worker not found",
};

/** What the caller asked for does not exist for them; the same whether it exists for somebody else (R-G3). */
export const missing = (what: Missing): Failure => notFound(what, SENTENCES[what]);

/** Why a key is not let through; the log and operators see it, the caller does not (R-G2). */
export type KeyCheck =
  | "api_key.missing"
  | "api_key.unknown"
  | "api_key.revoked"
  | "api_key.expired"
  | "rate.limited"
  | "scope.missing";

/** A key that is not let through; with its id, if it is known. */
export class KeyRefused extends Failure {
  declare readonly check: KeyCheck;
  readonly apiKeyId: ApiKeyId | undefined;

  constructor(
    given: Pick<Failure, "code" | "reason" | "message">,
    apiKeyId: ApiKeyId | undefined,
    more: FailureOptions,
  ) {
    super(given.code, given.reason, given.message, more);
    this.apiKeyId = apiKeyId;
  }
}

/** The one refusal of a key that is missing, unknown, expired or revoked (R-G2); check and id are for the log. */
export const unauthenticated = (check: KeyCheck, apiKeyId?: ApiKeyId): KeyRefused =>
  new KeyRefused(
    {
      code: "UNAUTHENTICATED",
      reason: "unauthenticated",
      message: "The API key (header x-api-key) is missing or wrong.",
    },
    apiKeyId,
    { check, detail: apiKeyId },
  );

/** The refusal of a request for which the key has no scope (R-X295). */
export const scopeMissing = (scope: string, apiKeyId: ApiKeyId): KeyRefused =>
  new KeyRefused(
    { code: "PERMISSION_DENIED", reason: "scope_missing", message: `This API key lacks the scope ${scope}.` },
    apiKeyId,
    { check: "scope.missing", detail: `${apiKeyId} lacks ${scope}` },
  );

/** The refusal of a request beyond the limit of its key (R-G12). */
export const rateLimited = (retryAfterSeconds: number, apiKeyId: ApiKeyId): KeyRefused =>
  new KeyRefused(
    {
      code: "RESOURCE_EXHAUSTED",
      reason: "rate_limited",
      message: "This API key has made too many requests. Wait before the next.",
    },
    apiKeyId,
    { check: "rate.limited", retryAfterSeconds },
  );

/** A field of a write names something that does not exist; `noun` in our words with underscores, for example `unit_type`. */
export function unknownReference(noun: string, field: string, id: string): Failure {
  const words = noun.replaceAll("_", " ");
  const sentence = `There is no ${words} ${id}. Correct ${field}, or create the ${words} first.`;
  return notFound(`${noun}_not_found`, sentence, { named: [field] });
}

/** A person has one user per tenant that is not DELETED (R-G17). */
export const userExists = (id: UserId): Failure =>
  alreadyExists(
    "user_exists",
    `This e-mail address has the user ${id} in the tenant already. Change that user instead.`,
  );

/** A person is one worker of a tenant at a time. */
export const workerExists = (id: WorkerId): Failure =>
  alreadyExists(
    "worker_exists",
    `The person is the worker ${id} of the tenant already. Change that worker instead, or end it before a new employment begins.`,
  );

/** What is erased changes no more (R-X260). */
export const erasedForGood = (id: string): Failure =>
  failedPrecondition("erased", `${id} is erased for good. What is to be there again is created again.`);
