import type { GetUserinfoResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { components } from "#generated/types/sign-on.ts";
import { toClaims } from "../../claims/claims-wire.ts";

/** `aub` is the sample's spelling of `aud` (R-S4). */
export function toUserinfo({ audience, ...known }: GetUserinfoResponse): components["schemas"]["Userinfo"] {
  const { sub, ...claims } = toClaims(known);
  return { sub, aud: audience, aub: audience, ...claims };
}

/** The application that an access token names, verified or not; `undefined` for an unreadable token. */
export function applicationOfToken(accessToken: string | undefined): string | undefined {
  const payload = accessToken?.split(".")[1];
  if (payload === undefined) return undefined;
  try {
    const { client_id } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as { client_id?: unknown };
    return typeof client_id === "string" ? client_id : undefined;
  } catch {
    return undefined;
  }
}
