import type { RevokeTokenRequest, RevokeTokenResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { findIssuedToken, type IssuedTokenDeps } from "../../access-tokens/issued-token.ts";
import type { VerifiedAccessToken } from "../../access-tokens/verify-access-token.ts";
import { type AuthenticationDeps, authenticateApplication } from "../../applications/authenticate-application.ts";
import type { FamilyRevocationRepository } from "../../refresh-tokens/family-revocation-repository.ts";
import { type RevokeFamilyDeps, revokeFamily } from "../../refresh-tokens/token-families-service.ts";

interface RevocationDeps extends AuthenticationDeps, IssuedTokenDeps, RevokeFamilyDeps {
  readonly revocations: Pick<FamilyRevocationRepository, "revoke" | "revokeAccessToken">;
}

/**
 * Revokes a refresh token with its family, or a single access token. Anything else than a live token of the application
 * is ignored and gets the same answer (RFC 7009 §2.2, R-S20). A replaced refresh token also revokes its family: it
 * belongs to the same authorization.
 * @throws invalid_client.
 */
export const revokeToken =
  (deps: RevocationDeps) =>
  async ({ application: credentials, token }: RevokeTokenRequest, call: Call): Promise<RevokeTokenResponse> => {
    const application = await authenticateApplication(deps, credentials, call);
    const issued = await findIssuedToken(deps, token, application);
    if (issued?.kind === "refreshToken") await revokeFamily(deps, issued.family, "revoked by the application", call);
    if (issued?.kind === "accessToken") await revokeAccessToken(deps, issued.verified, call);
    return {};
  };

async function revokeAccessToken(
  { changes, revocations }: RevocationDeps,
  { id, applicationId, personId, expiresAt, family }: VerifiedAccessToken,
  { requestId }: Call,
): Promise<void> {
  await changes.run(
    async ({ db, at, audit }) => {
      if (!(await revocations.revokeAccessToken(db, id, expiresAt, at))) return;
      const facts = { because: "revoked by the application", family: family.id };
      await audit({ actor: applicationId, action: "accessToken.revoke", object: personId, facts });
    },
    { requestId },
  );
}
