import { hash } from "node:crypto";
import type { Application } from "../../applications/application.ts";
import { toClaims } from "../../claims/claims-wire.ts";
import { personClaims } from "../../claims/person-claims.ts";
import { AUTHENTICATION_CONTEXT } from "../../claims/requested-claims.ts";
import { sidOf } from "../../sessions/sessions.ts";
import { type JwtSigner, signJwt } from "../../signing-keys/signing-keys.ts";
import type { Granted } from "./grant.ts";

/** at_hash: the left half of the access token's SHA-256 as base64url (OIDC Core §3.1.3.6). */
const leftHalfHash = (accessToken: string): string =>
  hash("sha256", accessToken, "buffer").subarray(0, 16).toString("base64url");

/** An ID token (OIDC Core §2, spec §2.7), or `undefined` for a grant without one. */
export async function signIdToken(
  granted: Granted,
  application: Application,
  accessToken: string,
  { issuer, signer, now }: { readonly issuer: string; readonly signer: JwtSigner; readonly now: Date },
): Promise<string | undefined> {
  const { idToken, family, scopes } = granted;
  if (idToken === undefined) return undefined;
  const iat = Math.floor(now.getTime() / 1000);
  const claims = {
    ...toClaims(personClaims(idToken.identity, scopes, idToken.claims)),
    iss: issuer,
    aud: application.id,
    iat,
    exp: iat + application.lifetimes.idTokenSeconds,
    auth_time: Math.floor(family.authenticatedAt.getTime() / 1000),
    acr: AUTHENTICATION_CONTEXT,
    sid: sidOf(family.sessionDigest),
    at_hash: leftHalfHash(accessToken),
    ...(idToken.nonce === undefined ? {} : { nonce: idToken.nonce }),
  };
  return signJwt(claims, signer, "JWT");
}
