import { Failure, type FailureCode, type FailureOptions } from "#runtime/basis/errors.ts";

/** The error codes of the token and userinfo endpoints (spec §7.2, §7.3) with the gRPC code that each travels as. */
const CODES = {
  invalid_request: "INVALID_ARGUMENT",
  invalid_client: "UNAUTHENTICATED",
  invalid_grant: "FAILED_PRECONDITION",
  unauthorized_client: "PERMISSION_DENIED",
  unsupported_grant_type: "INVALID_ARGUMENT",
  invalid_scope: "INVALID_ARGUMENT",
  invalid_token: "UNAUTHENTICATED",
  insufficient_scope: "PERMISSION_DENIED",
} as const satisfies Readonly<Record<string, FailureCode>>;

export type OAuthErrorCode = keyof typeof CODES;

export const OAUTH_ERROR_CODES = Object.keys(CODES) as readonly OAuthErrorCode[];

/** A refusal in the words of RFC 6749 §5.2 or RFC 6750 §3.1; the description is public, `detail` is for the log. */
export const oauthFailure = (code: OAuthErrorCode, description: string, options?: FailureOptions): Failure =>
  new Failure(CODES[code], code, description, options);

export const invalidGrant = (description: string, options?: FailureOptions): Failure =>
  oauthFailure("invalid_grant", description, options);

/** One answer for every kind of failed application authentication (S29). */
export const invalidClient = (detail: string): Failure =>
  oauthFailure("invalid_client", "Authentication of the application failed.", { detail });

/** True for the refusal of an access token, whatever its reason. */
export const isInvalidToken = (error: unknown): boolean => error instanceof Failure && error.reason === "invalid_token";

/** The OAuth code that a failure carries, if it is one of ours. */
export const oauthCodeOf = (failure: Failure): OAuthErrorCode | undefined =>
  OAUTH_ERROR_CODES.find((code) => code === failure.reason);
