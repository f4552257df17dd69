import type { AuthorizationCodeGrant } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { AuthenticatedApplication } from "../../applications/application.ts";
import { lostByCode } from "../../applications/code-registration.ts";
import type { AuthorizationCode } from "../../authorization-codes/authorization-code.ts";
import type { AuthorizationCodeRepository } from "../../authorization-codes/authorization-code-repository.ts";
import { isVerifier, verifierMatches } from "../../authorization-codes/pkce.ts";
import { findCode } from "../../authorization-codes/presented-code.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { withinScopes } from "../../claims/requested-claims.ts";
import { firstBeyond } from "../../claims/scopes.ts";
import { currentToken } from "../../refresh-tokens/refresh-token.ts";
import { type RevokeFamilyDeps, revokeFamily, type TokenMetrics } from "../../refresh-tokens/token-families-service.ts";
import type { TokenFamily } from "../../refresh-tokens/token-family.ts";
import type { TokenFamilyRepository } from "../../refresh-tokens/token-family-repository.ts";
import { quoted, refuse } from "../../refusals/refused.ts";
import type { SignOnTables } from "../../tables.ts";
import type { EarlierTokenRepository } from "../../token-numbers/earlier-token-repository.ts";
import type { NumberedTokens } from "../../token-numbers/numbered-tokens.ts";
import { assertWaitedFor, type Grant, type GrantCall } from "./grant.ts";

export interface GrantDeps {
  readonly changes: Changes<SignOnTables>;
  readonly codes: AuthorizationCodeRepository;
  readonly families: TokenFamilyRepository;
  readonly revocations: RevokeFamilyDeps["revocations"];
  readonly tokens: NumberedTokens;
  readonly earlier: EarlierTokenRepository;
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
    const { workforce, clock } = deps;
    const code = await findCode(deps, request.code);
    if (code === undefined || code.applicationId !== application.id) throw refuse("code.unknown");
    if (code.isRedeemed) {
      await revokeIssued(deps, code, call);
      throw refuse("code.already_used");
    }
    if (clock.now() >= code.expiresAt) throw refuse("code.expired");
    if (code.redirectUri !== request.redirectUri) throw refuse("redirect_uri.differs");
    const lost = firstBeyond(application.scopes, code.scopes);
    if (lost !== undefined) throw refuse("code.scope_not_registered", { scope: quoted(lost) });
    const unregistered = lostByCode(code, application);
    if (unregistered === "redirect URI") throw refuse("code.redirect_uri_not_registered");
    if (unregistered === "no PKCE") throw refuse("code.challenge_missing");
    assertVerifier(code.codeChallenge, request.codeVerifier ?? undefined);
    const identity = await memberIdentity(workforce, code, call);
    if (identity === undefined) throw refuse("membership.lost");

    const refreshToken = deps.tokens.newRefreshToken(code.number);
    const family = familyOf(deps, code, application, refreshToken);
    // Single claims of a scope that is no longer registered are omitted, not refused (R-X109, R-X131).
    const { idToken: claims } = withinScopes(code.claims, application.scopes);
    const idToken = family.scopes.includes("openid") ? { identity, nonce: code.nonce, claims } : undefined;
    return { family, scopes: family.scopes, refreshToken, idToken, spent: redeem(deps, code, family, call) };
  },
});

/**
 * A challenge requires the matching verifier; a verifier without a challenge is a downgrade attempt (R-S16, S22). A
 * malformed verifier is invalid_request; a missing or wrong one is invalid_grant (R-X163).
 */
function assertVerifier(codeChallenge: string | undefined, codeVerifier: string | undefined): void {
  if (codeVerifier !== undefined && !isVerifier(codeVerifier)) throw refuse("code_verifier.malformed");
  if (codeChallenge === undefined) {
    if (codeVerifier !== undefined) throw refuse("code_verifier.unexpected");
    return;
  }
  if (codeVerifier === undefined) throw refuse("code_verifier.missing");
  if (!verifierMatches(codeVerifier, codeChallenge)) throw refuse("code_verifier.wrong");
}

/**
 * One update turns the code into its family: of two exchanges one passes, the other is a replay (R-S11). A family with
 * the refresh token of this very exchange is no replay: the answer of its update was lost (R-X333).
 */
async function redeem(deps: GrantDeps, code: AuthorizationCode, family: TokenFamily, call: GrantCall): Promise<void> {
  const { changes, codes, families } = deps;
  const { current, issuedAt: at, expiresAt: familyEndsAt } = family;
  const redemption = { at, familyEndsAt, tokenDigest: current.digest, tokenExpiresAt: current.expiresAt };
  const isRedeemedNow = await changes.one(async ({ db, mayBeDone }) => {
    if (await codes.redeem(db, code, redemption)) return true;
    return mayBeDone && (await families.find(code.number))?.current.digest.equals(current.digest) === true;
  });
  if (isRedeemedNow) return;
  const redeemed = (await codes.find(code.number))?.isRedeemed === true;
  if (redeemed) await revokeIssued(deps, code, call);
  throw refuse(redeemed ? "code.already_used" : "code.expired");
}

/** Revokes everything issued from a redeemed code that its own application presents again (R-S11). */
async function revokeIssued(deps: GrantDeps, code: AuthorizationCode, call: GrantCall): Promise<void> {
  assertWaitedFor(call);
  await revokeFamily(deps, { ...code, id: deps.tokens.idOf(code.number) }, "authorization code replayed", call);
}

/** The family that the code becomes now. */
function familyOf(
  { tokens, clock }: Pick<GrantDeps, "tokens" | "clock">,
  code: AuthorizationCode,
  { lifetimes }: AuthenticatedApplication,
  refreshToken: string,
): TokenFamily {
  const at = clock.now();
  const expiresAt = new Date(at.getTime() + lifetimes.refreshTokenAbsoluteSeconds * 1000);
  return {
    number: code.number,
    id: tokens.idOf(code.number),
    applicationId: code.applicationId,
    instanceId: code.instanceId,
    personId: code.personId,
    sessionDigest: code.sessionDigest,
    scopes: code.scopes,
    userinfoClaims: code.claims.userinfo,
    authenticatedAt: code.authenticatedAt,
    issuedAt: at,
    expiresAt,
    generation: 1,
    current: currentToken(refreshToken, { expiresAt }, lifetimes, at),
    replacement: undefined,
  };
}
