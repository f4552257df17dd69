import type { EdgeRequest } from "#runtime/http/operation.ts";

/**
 * True when a form may have come from our own page: browsers say so by Sec-Fetch-Site, older ones by Origin. Without
 * either header the form token alone decides; a header that names another site is refused (S10).
 */
export function isOwnForm({ headers }: Pick<EdgeRequest, "headers">, issuer: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = headers;
  return origin === undefined || origin === issuer;
}
