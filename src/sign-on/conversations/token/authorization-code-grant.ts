import type { AuthorizationCodeGrant } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { randomCharacters } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { AuthenticatedApplication } from "../../applications/application.ts";
import type {
  AuthorizationCode,
  AuthorizationCodeRepository,
} from "../../authorization-codes/authorization-code-repository.ts";
import { isVerifier, verifierMatches } from "../../authorization-codes/pkce.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { firstBeyond } from "../../claims/scopes.ts";
import { digestOf } from "../../digest.ts";
import { newRefreshToken, refreshTokenOf } from "../../refresh-tokens/refresh-token.ts";
import type { RefreshTokenRepository } from "../../refresh-tokens/refresh-token-repository.ts";
import { revokeFamily, type TokenMetrics } from "../../refresh-tokens/token-families-service.ts";
import type { TokenFamily, TokenFamilyRepository } from "../../refresh-tokens/token-family-repository.ts";
import { quoted, refuse } from "../../refusals/refused.ts";
import type { SignOnTables } from "../../tables.ts";
import { assertWaitedFor, type Grant, type GrantCall } from "./grant.ts";

export interface GrantDeps {
  readonly changes: Changes<SignOnTables>;
  readonly codes: AuthorizationCodeRepository;
  readonly families: TokenFamilyRepository;
  readonly refreshTokens: RefreshTokenRepository;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: TokenMetrics;
}

/**
 * Redeems an authorization code (RFC 6749 §4.1.3; RFC 7636 §4.6). Every refusal is invalid_grant (§5.2), except that of
 * a malformed verifier.
 */
export const authorizationCodeGrant = (deps: GrantDeps): Grant<AuthorizationCodeGrant> => ({
  async redeem(request, application, call) {
    const { codes, workforce, clock } = deps;
    const code = await codes.find(digestOf(request.code));
    if (code === undefined || code.applicationId !== application.id) throw refuse("code.unknown");
    if (code.familyId !== undefined) {
      await revokeIssued(deps, code, call);
      throw refuse("code.already_used");
    }
    if (clock.now() >= code.expiresAt) throw refuse("code.expired");
    if (code.redirectUri !== request.redirectUri) throw refuse("redirect_uri.differs");
    const lost = firstBeyond(application.scopes, code.scopes);
    if (lost !== undefined) throw refuse("code.scope_not_registered", { scope: quoted(lost) });
    assertVerifier(code.codeChallenge, request.codeVerifier ?? undefined);
    const identity = await memberIdentity(workforce, code, call);
    if (identity === undefined) throw refuse("membership.lost");

    const { family, refreshToken } = await spend(deps, code, application, call);
    const idToken = family.scopes.includes("openid")
      ? { identity, nonce: code.nonce, claims: code.claims.idToken }
      : undefined;
    return { family, scopes: family.scopes, refreshToken, idToken };
  },
});

/**
 * A challenge requires the matching verifier; a verifier without a challenge is a downgrade attempt (R-S16, S22). A
 * malformed verifier is invalid_request; a missing or wrong one is invalid_grant (R-X163).
 */
function assertVerifier(codeChallenge: string | undefined, codeVerifier: string | undefined): void {
  if (codeChallenge === undefined) {
    if (codeVerifier !== undefined) throw refuse("code_verifier.unexpected");
    return;
  }
  if (codeVerifier === undefined) throw refuse("code_verifier.missing");
  if (!isVerifier(codeVerifier)) throw refuse("code_verifier.malformed");
  if (!verifierMatches(codeVerifier, codeChallenge)) throw refuse("code_verifier.wrong");
}

/** One transaction spends the code and makes its family: of two exchanges one passes, the other is a replay (R-S11). */
async function spend(deps: GrantDeps, code: AuthorizationCode, application: AuthenticatedApplication, call: GrantCall) {
  const { changes, codes, families, refreshTokens, random } = deps;
  const familyId = randomCharacters(random, 22);
  const refreshToken = newRefreshToken(random);
  const family = await changes.run<TokenFamily | undefined>(
    async ({ db, at }) => {
      if (!(await codes.spend(db, code, familyId, at))) return undefined;
      const created = familyOf(code, application, familyId, at);
      await families.create(db, created);
      await refreshTokens.create(db, refreshTokenOf(refreshToken, created, application.lifetimes, at));
      return created;
    },
    { requestId: call.requestId },
  );
  if (family !== undefined) return { family, refreshToken };
  throw refuse((await revokeIssued(deps, code, call)) ? "code.already_used" : "code.expired");
}

/**
 * Handles a spent code that its own application presents: revokes everything issued from it, also what is still being
 * written (R-S11). False for an unspent code.
 */
async function revokeIssued(deps: GrantDeps, code: AuthorizationCode, call: GrantCall): Promise<boolean> {
  const familyId = (await deps.codes.find(code.digest))?.familyId;
  if (familyId === undefined) return false;
  assertWaitedFor(call);
  await revokeFamily(deps, { ...code, id: familyId }, "authorization code replayed", call);
  return true;
}

const familyOf = (
  code: AuthorizationCode,
  application: AuthenticatedApplication,
  id: string,
  at: Date,
): TokenFamily => ({
  id,
  applicationId: code.applicationId,
  instanceId: code.instanceId,
  personId: code.personId,
  sessionDigest: code.sessionDigest,
  scopes: code.scopes,
  userinfoClaims: code.claims.userinfo,
  authenticatedAt: code.authenticatedAt,
  issuedAt: at,
  expiresAt: new Date(at.getTime() + application.lifetimes.refreshTokenAbsoluteSeconds * 1000),
});
