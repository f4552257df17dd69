import type { IntrospectTokenResponse, TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { components, operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { NO_STORE, type OAuthTools } from "../../browser/oauth-error.ts";
import { tokenReferenceOperation } from "../../browser/token-operation.ts";

/** POST /auth/introspect (RFC 7662, R-S20). A failed authentication is always 401 (§2.3). */
export const introspectTokenOperation = (
  tokens: PromiseClient<typeof TokensService>,
  tools: OAuthTools,
): Operation<operations["introspectToken"]> =>
  tokenReferenceOperation({
    tools,
    challenged: "always",
    ask: tokens.introspectToken,
    show: (reply) => ({ status: 200, headers: NO_STORE, body: toTokenStatus(reply) }) as const,
  });

/** RFC 7662 §2.2; the answer about an inactive token contains nothing else. */
function toTokenStatus({ active }: IntrospectTokenResponse): components["schemas"]["TokenStatus"] {
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
