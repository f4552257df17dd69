import type { IntrospectTokenResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { components } from "#generated/types/sign-on.ts";

/** RFC 7662 §2.2; the answer about an inactive token contains nothing else. */
export function toTokenStatus({ active }: IntrospectTokenResponse): components["schemas"]["TokenStatus"] {
  if (active === null) return { active: false };
  return {
    active: true,
    scope: active.scopes.join(" "),
    client_id: active.applicationId,
    sub: active.subject,
    iss: active.issuer,
    iat: active.issuedAt,
    exp: active.expiresAt,
    ...(typeof active.tokenId === "string"
      ? { token_type: "Bearer" as const, aud: active.issuer, jti: active.tokenId }
      : {}),
  };
}
