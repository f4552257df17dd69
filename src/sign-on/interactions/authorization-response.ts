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
  | "request_uri_not_supported";

/** Where an authorization response goes: a proven redirect URI and the state to repeat. */
export interface ResponseTarget {
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/** The redirect location with a code (RFC 6749 §4.1.2) and `iss` (RFC 9207). */
export const codeLocation = (target: ResponseTarget, issuer: string, code: string): string =>
  location(target, issuer, { code });

/** The redirect location with an error (RFC 6749 §4.1.2.1). */
export const errorLocation = (
  target: ResponseTarget,
  issuer: string,
  error: AuthorizationErrorCode,
  description: string,
): string => location(target, issuer, { error, error_description: description });

/** Appends to the query that the redirect URI may already have; its own bytes stay as they are. */
function location(
  { redirectUri, state }: ResponseTarget,
  issuer: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const all = { ...parameters, ...(state === undefined ? {} : { state }), iss: issuer };
  const query = Object.entries(all)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const separator = !redirectUri.includes("?")
    ? "?"
    : redirectUri.endsWith("?") || redirectUri.endsWith("&")
      ? ""
      : "&";
  return `${redirectUri}${separator}${query}`;
}
