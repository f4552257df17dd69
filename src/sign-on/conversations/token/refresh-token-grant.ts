import type { RefreshTokenGrant } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { AuthenticatedApplication } from "../../applications/application.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { covers, parseScopes, type Scope } from "../../claims/scopes.ts";
import { digestOf } from "../../digest.ts";
import { isHarmlessRepeat, newSuccessorSalt, refreshTokenOf, successorOf } from "../../refresh-tokens/refresh-token.ts";
import type { Replacement, StoredRefreshToken } from "../../refresh-tokens/refresh-token-repository.ts";
import { revokeFamily } from "../../refresh-tokens/token-families-service.ts";
import type { TokenFamily } from "../../refresh-tokens/token-family-repository.ts";
import { quoted, refuse } from "../../refusals/refused.ts";
import type { GrantDeps } from "./authorization-code-grant.ts";
import { assertWaitedFor, type Grant, type GrantCall } from "./grant.ts";

type RefreshDeps = Omit<GrantDeps, "codes">;

/** A presented refresh token of this application and a live family. */
interface Presented {
  readonly token: string;
  readonly stored: StoredRefreshToken;
  readonly family: TokenFamily;
  readonly application: AuthenticatedApplication;
  readonly call: GrantCall;
}

/**
 * Uses a refresh token (RFC 6749 §6): one atomic rotation. A repeat inside the application's window gets the same
 * successor; a later one is theft and revokes only its family (R-S10).
 */
export const refreshTokenGrant = (deps: RefreshDeps): Grant<RefreshTokenGrant> => ({
  async redeem(request, application, call) {
    const { refreshTokens, families, workforce, clock } = deps;
    const stored = await refreshTokens.find(digestOf(request.refreshToken));
    const family = stored === undefined ? undefined : await families.findLive(stored.familyId, clock.now());
    // Presented by another application: refused, and nothing is revoked.
    if (stored === undefined || family === undefined || family.applicationId !== application.id)
      throw refuse("refresh_token.unknown");
    const presented = { token: request.refreshToken, stored, family, application, call };
    // First of all checks: another mistake must not hide theft.
    if (stored.replacement !== undefined) await assertHarmless(deps, presented, stored.replacement);
    else if (clock.now() >= stored.expiresAt) throw refuse("refresh_token.expired");
    const scopes = narrowed(request.scopes, stillRegistered(family.scopes, application));
    const identity = await memberIdentity(workforce, family, call);
    if (identity === undefined) throw refuse("membership.lost");

    const replacement = stored.replacement ?? (await replace(deps, presented, scopes));
    if (!(covers(replacement.scopes, scopes) && covers(scopes, replacement.scopes)))
      throw refuse("scope.differs_in_repeat");
    return { family, scopes, refreshToken: successorOf(request.refreshToken, replacement.salt), idToken: undefined };
  },
});

/** The family's scopes that the application is still registered for (R-S8). @throws invalid_scope. */
function stillRegistered(granted: readonly Scope[], application: AuthenticatedApplication): readonly Scope[] {
  const left = granted.filter((scope) => application.scopes.includes(scope));
  if (left.length === 0) throw refuse("scope.not_registered", { scope: quoted(granted.join(" ")) });
  return left;
}

/** The requested scopes, at most the family's; all of the family's when none are named (RFC 6749 §6). */
function narrowed(requested: readonly string[], granted: readonly Scope[]): readonly Scope[] {
  if (requested.length === 0) return granted;
  const scopes = parseScopes(requested.join(" "));
  if (scopes === undefined || !covers(granted, scopes)) throw refuse("scope.exceeds_grant");
  return scopes;
}

/**
 * Replaces the token, or finds how a parallel call replaced it: of any number, one writes and the others repeat it
 * (S24).
 */
async function replace(deps: RefreshDeps, presented: Presented, scopes: readonly Scope[]): Promise<Replacement> {
  const { changes, refreshTokens, random } = deps;
  const { token, stored, family, application, call } = presented;
  const salt = newSuccessorSalt(random);
  const replacement = await changes.run(
    async ({ db, at }) => {
      if (!(await refreshTokens.replace(db, stored, { at, salt, scopes }))) return undefined;
      const successor = refreshTokenOf(successorOf(token, salt), family, application.lifetimes, at, stored);
      await refreshTokens.create(db, successor);
      return { at, salt, scopes };
    },
    { requestId: call.requestId },
  );
  if (replacement !== undefined) return replacement;
  const faster = (await refreshTokens.find(stored.digest))?.replacement;
  if (faster === undefined) throw refuse("refresh_token.expired");
  await assertHarmless(deps, presented, faster);
  return faster;
}

/** @throws invalid_grant, after the family is revoked, when the repeat is theft (RFC 9700 §4.14.2). */
async function assertHarmless(
  deps: RefreshDeps,
  { token, family, application, call }: Presented,
  { at, salt }: Replacement,
): Promise<void> {
  const successor = await deps.refreshTokens.find(digestOf(successorOf(token, salt)));
  const repeat = {
    replacedAt: at,
    successorUsed: successor === undefined || successor.replacement !== undefined,
    windowSeconds: application.refreshRepeatSeconds,
    now: deps.clock.now(),
  };
  if (isHarmlessRepeat(repeat)) return deps.metrics.refreshRepeated();
  assertWaitedFor(call);
  await revokeFamily(deps, family, "refresh token reused", call);
  throw refuse("refresh_token.already_used");
}
