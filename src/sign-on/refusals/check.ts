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

/** What each error code says, for the page that `error_uri` leads to and for the guide (R-X209). */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, Sentence>> = {
  invalid_request: "A part of the request is missing, repeated or not as it must be.",
  invalid_client: "The application did not prove who it is.",
  invalid_grant: "The code or the refresh token cannot be exchanged for tokens.",
  unauthorized_client: "The application is not registered for what it asks for.",
  unsupported_grant_type: "The grant type is not one that this server offers.",
  invalid_scope: "A scope is unknown, not registered for the application, or more than was granted.",
  invalid_token: "The access token is missing, or it is not valid, or no longer.",
  insufficient_scope: "The access token is valid, but lacks a scope that the request needs.",
  access_denied: "The sign-in did not lead to access.",
  unsupported_response_type: "The response type is not code.",
  server_error: "Something went wrong on our side.",
  temporarily_unavailable: "The server cannot answer at the moment.",
  login_required: "The person must sign in, and the request does not allow us to ask, or asks for somebody else.",
  consent_required: "The person must approve the access, and the request does not allow us to ask.",
  interaction_required: "The person must do something, and the request does not allow us to ask.",
  request_not_supported: "The request sends its parameters in a request object.",
  request_uri_not_supported: "The request sends its parameters as a link to a request object.",
  registration_not_supported: "The request describes the application, which must be registered beforehand.",
};

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
