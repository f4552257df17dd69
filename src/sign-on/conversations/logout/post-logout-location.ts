/**
 * Where the browser goes after signing out: the registered address, byte for byte, with `state` as sent as the only
 * addition (RP-Initiated Logout 1.0 §3).
 */
export function postLogoutLocation(redirectUri: string, state: string | undefined): string {
  if (state === undefined) return redirectUri;
  const separator = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return `${redirectUri}${separator}state=${encodeURIComponent(state)}`;
}
