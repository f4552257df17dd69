import { hasAtMost } from "#runtime/basis/text.ts";
import { HINT_LENGTH_MAX } from "../../id-tokens/id-token-hint.ts";

/** The parameters of a request for sign-out, each present at most once (RP-Initiated Logout 1.0 §2). */
export interface LogoutParameters {
  readonly idTokenHint: string | undefined;
  readonly applicationId: string | undefined;
  readonly postLogoutRedirectUri: string | undefined;
  /** As sent; may be empty. */
  readonly state: string | undefined;
}

/** Longest value of each parameter in characters, far above any legitimate one. */
const LENGTHS_MAX: Readonly<Record<string, number>> = {
  id_token_hint: HINT_LENGTH_MAX,
  client_id: 2_048,
  post_logout_redirect_uri: 2_048,
  state: 2_048,
  logout_hint: 2_048,
  ui_locales: 2_048,
};

/**
 * Reads the parameters of a request for sign-out; unknown ones are ignored. One without a value counts as absent,
 * except `state` (R-X25). `undefined` when a known parameter is repeated or too long.
 */
export function parseLogoutRequest(
  parameters: readonly { readonly name: string; readonly value: string }[],
): LogoutParameters | undefined {
  const known = parameters.filter(({ name }) => Object.hasOwn(LENGTHS_MAX, name));
  const values = new Map(known.map(({ name, value }) => [name, value]));
  if (values.size < known.length) return undefined;
  if (!known.every(({ name, value }) => hasAtMost(value, LENGTHS_MAX[name] ?? 0))) return undefined;
  return {
    idTokenHint: values.get("id_token_hint") || undefined,
    applicationId: values.get("client_id") || undefined,
    postLogoutRedirectUri: values.get("post_logout_redirect_uri") || undefined,
    state: values.get("state"),
  };
}

/**
 * Where the browser goes after signing out: the registered address, byte for byte, with `state` as sent as the only
 * addition (RP-Initiated Logout 1.0 §3).
 */
export function postLogoutLocation(redirectUri: string, state: string | undefined): string {
  if (state === undefined) return redirectUri;
  const separator = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return `${redirectUri}${separator}state=${encodeURIComponent(state)}`;
}
