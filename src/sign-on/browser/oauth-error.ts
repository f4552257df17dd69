import { Failure } from "#runtime/basis/errors.ts";
import type { EdgeRequest } from "#runtime/http/operation.ts";
import type { Log } from "#runtime/process/log.ts";
import { OAUTH_ERROR_CODES, type OAuthErrorCode } from "../refusals/check.ts";
import { toErrorWire } from "../refusals/error-wire.ts";

/** What the endpoints of applications answer errors with. */
export interface OAuthTools {
  readonly issuer: string;
  readonly log: Log;
}

/** Sent with every OAuth answer, errors included (S30). */
export const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" } as const;

/**
 * Headers of endpoints that pages of other origins may call; cross-origin.ts adds the origin that may read the answer.
 */
export const CROSS_ORIGIN = { ...NO_STORE, vary: "Origin" } as const;

/** The answer to a failed call that no code of the specification covers: 503 when a retry helps, else 500. */
export function oauthFault(
  error: unknown,
  { requestId, operationId }: Pick<EdgeRequest, "requestId" | "operationId">,
  { issuer, log }: OAuthTools,
) {
  const source = { requestId, issuer };
  if (error instanceof Failure && error.retryAfterSeconds !== undefined) {
    const headers = { ...NO_STORE, "retry-after": String(error.retryAfterSeconds) };
    return {
      status: 503,
      headers,
      body: toErrorWire("temporarily_unavailable", "The service cannot answer at the moment.", source),
    } as const;
  }
  if (!(error instanceof Failure))
    log.error("An OAuth operation failed at the edge.", { requestId, operationId, error });
  return {
    status: 500,
    headers: NO_STORE,
    body: toErrorWire("server_error", "Something went wrong on our side.", source),
  } as const;
}

/** The code and sentence of a refusal; `undefined` for faults. */
export function oauthRefusal(
  error: unknown,
): { readonly code: OAuthErrorCode; readonly description: string } | undefined {
  if (!(error instanceof Failure)) return undefined;
  const code = OAUTH_ERROR_CODES.find((one) => one === error.reason);
  return code && { code, description: error.message };
}
