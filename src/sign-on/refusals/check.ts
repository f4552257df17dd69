import type { ErrorPageReason } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";

/** The error codes of the token, userinfo, revocation and introspection endpoints (spec §7.2, §7.3). */
export const OAUTH_ERROR_CODES = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "invalid_token",
  "insufficient_scope",
] as const;

export type OAuthErrorCode = (typeof OAUTH_ERROR_CODES)[number];

/** The error codes of authorization responses (spec §7.1, OIDC Core §3.1.2.6, R-S14). */
export const AUTHORIZATION_ERROR_CODES = [
  "invalid_request",
  "unauthorized_client",
  "access_denied",
  "unsupported_response_type",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "login_required",
  "consent_required",
  "interaction_required",
  "request_not_supported",
  "request_uri_not_supported",
  "registration_not_supported",
] as const;

export type AuthorizationErrorCode = (typeof AUTHORIZATION_ERROR_CODES)[number];

export type ErrorCode = OAuthErrorCode | AuthorizationErrorCode;

type Sentence = `${string}.`;

/** A check that refuses with an error code. Its sentence and detail may have `{placeholders}`, which a refusal must fill. */
export interface ErrorCheck {
  readonly error: ErrorCode;
  /** Public: `error_description`. */
  readonly sentence: Sentence;
  /** For the log, when the sentence deliberately says less. */
  readonly detail?: string;
  /** The reason of the error page, when the same check also refuses by one. */
  readonly page?: ErrorPageReason;
  /** What was found, for the application's developers; the sentence unless given. */
  readonly finding?: Sentence;
  /** What to do about it. */
  readonly advice: Sentence;
}

/** A check that refuses with an error page; without a reason, the page is the edge's own. */
interface PageCheck extends Pick<ErrorCheck, "page" | "advice"> {
  readonly finding: Sentence;
  readonly error?: never;
}

/**
 * A check that can refuse a request. Its name, the key of its row, is `subject.finding` and stays the same, since people search logs for it.
 */
export type Check = ErrorCheck | PageCheck;
