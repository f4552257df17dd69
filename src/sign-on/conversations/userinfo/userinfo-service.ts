import type { GetUserinfoRequest, GetUserinfoResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { type VerifyDeps, verifyAccessToken } from "../../access-tokens/verify-access-token.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { personClaims } from "../../claims/person-claims.ts";
import { NO_CLAIMS, type RequestableClaim, withinScopes } from "../../claims/requested-claims.ts";
import { covers, within } from "../../claims/scopes.ts";
import type { TokenFamily } from "../../refresh-tokens/token-family.ts";
import { refuse } from "../../refusals/refused.ts";

interface UserinfoDeps extends VerifyDeps {
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly applications: Pick<ApplicationRepository, "find">;
}

/**
 * The claims of the person behind an access token, as of now.
 * @throws invalid_token; insufficient_scope without `openid` (R-S8).
 */
export const getUserinfo =
  (deps: UserinfoDeps) =>
  async ({ accessToken }: GetUserinfoRequest, call: Call): Promise<GetUserinfoResponse> => {
    const token = await verifyAccessToken(deps, accessToken);
    if (!token.scopes.includes("openid")) throw refuse("scope.openid_missing");
    const identity = await memberIdentity(deps.workforce, token.family, call);
    if (identity === undefined) throw refuse("access_token.membership_lost");
    const requested = await claimsByName(deps, token);
    return { audience: token.applicationId, ...personClaims(identity, token.scopes, requested) };
  };

/**
 * The claims requested by name whose scopes the application is still registered for (R-X109, R-X131). None for a token that
 * a refresh has narrowed: it covers only its own scopes (RFC 6749 §6). What the registration has lost narrows no token.
 * The application is read only where there are such claims, which is seldom.
 */
async function claimsByName(
  { applications }: Pick<UserinfoDeps, "applications">,
  { scopes, family }: { readonly scopes: readonly string[]; readonly family: TokenFamily },
): Promise<readonly RequestableClaim[]> {
  const { applicationId, userinfoClaims } = family;
  if (userinfoClaims.length === 0) return userinfoClaims;
  const registered = (await applications.find(applicationId))?.scopes ?? [];
  if (!covers(scopes, within(registered, family.scopes))) return [];
  return withinScopes({ ...NO_CLAIMS, userinfo: userinfoClaims }, registered).userinfo;
}
