import type { AuthorizationCode } from "../authorization-codes/authorization-code.ts";
import type { Application } from "./application.ts";
import { matchRedirectUri } from "./redirect-uri.ts";

/**
 * What the registration does not allow a code any more that was issued before it became narrower (R-X131): a redirect URI
 * that was removed or moved to another instance, or to come without PKCE. `undefined` when there is nothing. Scopes are
 * looked at by themselves.
 */
export function lostByCode(
  { redirectUri, instanceId, codeChallenge }: Pick<AuthorizationCode, "redirectUri" | "instanceId" | "codeChallenge">,
  { redirectUris, kind, pkceRequired }: Pick<Application, "redirectUris" | "kind" | "pkceRequired">,
): "redirect URI" | "no PKCE" | undefined {
  const registered = matchRedirectUri(redirectUris, kind, redirectUri);
  if (registered?.instanceId !== instanceId) return "redirect URI";
  return pkceRequired && codeChallenge === undefined ? "no PKCE" : undefined;
}
