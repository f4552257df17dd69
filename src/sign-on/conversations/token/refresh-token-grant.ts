import type { RefreshTokenGrant } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { AuthenticatedApplication } from "../../applications/application.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { covers, parseScopes, type Scope } from "../../claims/scopes.ts";
import { digestOf } from "../../digest.ts";
import { invalidGrant, oauthFailure } from "../../oauth-failure.ts";
import { newRefreshToken, refreshTokenOf } from "../../refresh-tokens/refresh-token.ts";
import type { TokenFamily } from "../../refresh-tokens/token-family-repository.ts";
import type { GrantDeps } from "./authorization-code-grant.ts";
import type { Grant } from "./grant.ts";

type RefreshDeps = Omit<GrantDeps, "codes">;

/**
 * Uses a refresh token (RFC 6749 §6): one atomic rotation; a token used before is theft and revokes its family, and only that (R-S10,
 * window 0).
 */
export const refreshTokenGrant = (deps: RefreshDeps): Grant<RefreshTokenGrant> => ({
  async redeem(request, application, requestId) {
    const { refreshTokens, families, workforce, clock } = deps;
    const digest = digestOf(request.refreshToken);
    const token = await refreshTokens.find(digest);
    const family = token === undefined ? undefined : await families.findLive(token.familyId, clock.now());
    // Presented by another application: refused, and nothing is revoked.
    if (token === undefined || family === undefined || family.applicationId !== application.id) {
      throw invalidGrant("The refresh token is unknown, expired or revoked.");
    }
    if (token.rotated) {
      await revokeFamily(deps, family, requestId);
      throw alreadyUsed();
    }
    if (clock.now() >= token.expiresAt) throw invalidGrant("The refresh token has expired.");
    const scopes = narrowed(request.scopes, family.scopes);
    const identity = await memberIdentity(workforce, family, requestId);
    if (identity === undefined) throw invalidGrant("The person no longer has access to this platform instance.");

    const refreshToken = await rotate(deps, digest, family, application, requestId);
    return { family, scopes, refreshToken, idToken: undefined };
  },
});

const alreadyUsed = () => invalidGrant("The refresh token was already used; sign in again.");

/** Fewer scopes than the family's, or all of them when none are named; never more (RFC 6749 §6). */
function narrowed(requested: readonly string[], granted: readonly Scope[]): readonly Scope[] {
  if (requested.length === 0) return granted;
  const scopes = parseScopes(requested.join(" "));
  if (scopes === undefined || !covers(granted, scopes))
    throw oauthFailure("invalid_scope", "The requested scope exceeds what was granted.");
  return scopes;
}

async function rotate(
  deps: RefreshDeps,
  digest: Buffer,
  family: TokenFamily,
  application: AuthenticatedApplication,
  requestId: string,
): Promise<string> {
  const { changes, refreshTokens, random } = deps;
  const successor = newRefreshToken(random);
  const rotated = await changes.run(
    async ({ db, at }) => {
      if (!(await refreshTokens.rotate(db, digest, at))) return false;
      await refreshTokens.create(db, refreshTokenOf(successor, family, application.lifetimes, at));
      return true;
    },
    { requestId },
  );
  if (rotated) return successor;
  await revokeFamily(deps, family, requestId);
  throw alreadyUsed();
}

async function revokeFamily({ changes, families }: RefreshDeps, family: TokenFamily, requestId: string): Promise<void> {
  await changes.run(
    async ({ db, at, audit }) => {
      const revoked = await families.revoke(db, family.id, "refresh token reused", at);
      if (revoked)
        await audit({
          actor: family.applicationId,
          action: "tokenFamily.revoke",
          object: family.personId,
          facts: { because: "refresh token reused" },
        });
    },
    { requestId },
  );
}
