import type { ErrorPageReason, NextStep } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { webOrigin } from "../applications/redirect-uri.ts";
import type { ResponseMode } from "./interaction.ts";

/** The error codes of authorization responses (spec §7.1, OIDC Core §3.1.2.6, R-S14). */
export type AuthorizationErrorCode =
  | "invalid_request"
  | "unauthorized_client"
  | "access_denied"
  | "unsupported_response_type"
  | "invalid_scope"
  | "server_error"
  | "temporarily_unavailable"
  | "login_required"
  | "consent_required"
  | "interaction_required"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "registration_not_supported";

/** Where an authorization response goes: a proven redirect URI, how it is brought there, and the state to repeat. */
export interface ResponseTarget {
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state: string | undefined;
}

/** Names and values, in the order in which they stand. */
export type ResponseParameters = readonly (readonly [name: string, value: string])[];

/** A response with a code (RFC 6749 §4.1.2) and `iss` (RFC 9207). */
export const codeParameters = (target: ResponseTarget, issuer: string, code: string): ResponseParameters =>
  complete([["code", code]], target, issuer);

/** A response with an error (RFC 6749 §4.1.2.1). */
export const errorParameters = (
  target: ResponseTarget,
  issuer: string,
  error: AuthorizationErrorCode,
  description: string,
): ResponseParameters =>
  complete(
    [
      ["error", error],
      ["error_description", description],
    ],
    target,
    issuer,
  );

const complete = (own: ResponseParameters, { state }: ResponseTarget, issuer: string): ResponseParameters => [
  ...own,
  ...(state === undefined ? [] : ([["state", state]] as const)),
  ["iss", issuer],
];

/** The step that brings a response to the application, by redirect or by form; `endedInteractionId` when an interaction ends with it. */
export function responseStep(
  { redirectUri, responseMode }: ResponseTarget,
  parameters: ResponseParameters,
  endedInteractionId: string | undefined,
): NextStep {
  const ended = { endedInteractionId: endedInteractionId ?? null };
  if (responseMode === "query") {
    const location = responseLocation(redirectUri, parameters);
    return { step: { $case: "redirect", value: { location, ...ended } } };
  }
  const fields = parameters.map(([name, value]) => ({ name, value }));
  return { step: { $case: "formPost", value: { redirectUri, parameters: fields, ...ended } } };
}

/** Appends to the query that the redirect URI may already have; its own bytes stay as they are. */
export function responseLocation(redirectUri: string, parameters: ResponseParameters): string {
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const separator = !redirectUri.includes("?")
    ? "?"
    : redirectUri.endsWith("?") || redirectUri.endsWith("&")
      ? ""
      : "&";
  return `${redirectUri}${separator}${query}`;
}

/** @param redirectUri of the sign-in that it is about: its application is where a person can begin again. */
export const errorPage = (reason: ErrorPageReason, redirectUri?: string): NextStep => ({
  step: {
    $case: "errorPage",
    value: { reason, startAgainOrigin: redirectUri === undefined ? null : (webOrigin(redirectUri) ?? null) },
  },
});
