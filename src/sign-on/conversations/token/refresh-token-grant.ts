import type { RefreshTokenGrant } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { AuthenticatedApplication } from "../../applications/application.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { covers, hasStraySpace, parseScopes, type Scope, within } from "../../claims/scopes.ts";
import { findRefreshToken, type PresentedToken } from "../../refresh-tokens/presented-token.ts";
import {
  currentToken,
  isHarmlessRepeat,
  newSuccessorSalt,
  stateOf,
  successorOf,
  type TokenState,
} from "../../refresh-tokens/refresh-token.ts";
import { revokeFamily } from "../../refresh-tokens/token-families-service.ts";
import { quoted, refuse } from "../../refusals/refused.ts";
import type { GrantDeps } from "./authorization-code-grant.ts";
import { assertWaitedFor, type Grant, type GrantCall } from "./grant.ts";

type RefreshDeps = Omit<GrantDeps, "codes">;

/** Which token is answered is known only once the rotation is stored. */
const SPENT = Promise.resolve();

/** A presented refresh token of this application and a live family. */
interface Presented extends PresentedToken {
  readonly text: string;
  readonly application: AuthenticatedApplication;
  readonly call: GrantCall;
}

/** The token that replaces the presented one, and the scopes of the first answer with it. */
interface Successor {
  readonly refreshToken: string;
  readonly scopes: readonly Scope[];
}

/**
 * Uses a refresh token (RFC 6749 §6): one atomic rotation. A repeat inside the application's window gets the same
 * successor; a later one is theft and revokes only its family (R-S10).
 */
export const refreshTokenGrant = (deps: RefreshDeps): Grant<RefreshTokenGrant> => ({
  async redeem(request, application, call) {
    const { workforce, clock } = deps;
    const found = await findRefreshToken(deps, request.refreshToken);
    // Presented by another application: refused, and nothing is revoked.
    if (found === undefined || found.family.applicationId !== application.id) throw refuse("refresh_token.unknown");
    const { family } = found;
    const presented = { ...found, text: request.refreshToken, application, call };
    // First of all checks: another mistake must not hide theft.
    const repeated = found.state.kind === "current" ? undefined : await repeatOf(deps, presented, found.state);
    // For a repeat, this is the time of the successor, which it gives again.
    if (clock.now() >= family.current.expiresAt) throw refuse("refresh_token.expired");
    const scopes = narrowed(request.scopes, stillRegistered(family.scopes, application));
    const identity = await memberIdentity(workforce, family, call);
    if (identity === undefined) throw refuse("membership.lost");

    const successor = repeated ?? (await replace(deps, presented, scopes));
    if (!(covers(successor.scopes, scopes) && covers(scopes, successor.scopes)))
      throw refuse("scope.differs_in_repeat");
    return { family, scopes, refreshToken: successor.refreshToken, idToken: undefined, spent: SPENT };
  },
});

/** The family's scopes that the application is still registered for (R-S8). @throws invalid_scope. */
function stillRegistered(granted: readonly Scope[], application: AuthenticatedApplication): readonly Scope[] {
  const left = within(application.scopes, granted);
  if (left.length === 0) throw refuse("scope.not_registered", { scope: quoted(granted.join(" ")) });
  return left;
}

/** The requested scopes, at most the family's; all of the family's when none are named (RFC 6749 §6). */
function narrowed(requested: readonly string[], granted: readonly Scope[]): readonly Scope[] {
  if (requested.length === 0) return granted;
  const text = requested.join(" ");
  if (hasStraySpace(text)) throw refuse("scope.spaces");
  const scopes = parseScopes(text);
  if (scopes === undefined || !covers(granted, scopes)) throw refuse("scope.exceeds_grant");
  return scopes;
}

/**
 * Replaces the token, or finds how a parallel call replaced it: of any number, one writes and the others repeat it
 * (S24).
 */
async function replace(deps: RefreshDeps, presented: Presented, scopes: readonly Scope[]): Promise<Successor> {
  const { changes, families, tokens, random } = deps;
  const { text, place, family, application } = presented;
  const salt = newSuccessorSalt(random);
  const refreshToken = successorOf(tokens, text, salt, place);
  const replaced = await changes.one(async ({ db, at, mayBeDone }) => {
    const successor = currentToken(refreshToken, family, application.lifetimes, at);
    if (await families.replace(db, family, { at, salt, scopes }, successor)) return true;
    return mayBeDone && (await families.find(place.number))?.current.digest.equals(successor.digest) === true;
  });
  if (replaced) return { refreshToken, scopes };
  const faster = await families.find(place.number);
  const state = faster && stateOf(tokens, text, place, faster);
  if (state === undefined || state.kind === "current") throw refuse("refresh_token.expired");
  return repeatOf(deps, { ...presented, family: faster ?? family }, state);
}

/**
 * The answer to a token that was replaced before: the same successor again.
 * @throws invalid_grant, after the family is revoked, when the repeat is theft (RFC 9700 §4.14.2).
 */
async function repeatOf(
  deps: RefreshDeps,
  { family, application, call }: Presented,
  state: Exclude<TokenState, { kind: "current" }>,
): Promise<Successor> {
  const { replacement } = family;
  if (state.kind === "replaced" && replacement !== undefined) {
    const windowSeconds = application.refreshRepeatSeconds;
    if (isHarmlessRepeat({ replacedAt: replacement.at, windowSeconds, now: deps.clock.now() })) {
      deps.metrics.refreshRepeated();
      return { refreshToken: state.successor, scopes: replacement.scopes };
    }
  }
  assertWaitedFor(call);
  await revokeFamily(deps, family, "refresh token reused", call);
  throw refuse("refresh_token.already_used");
}
