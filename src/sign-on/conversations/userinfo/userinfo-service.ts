import type { GetUserinfoRequest, GetUserinfoResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { type VerifyDeps, verifyAccessToken } from "../../access-tokens/verify-access-token.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { personClaims } from "../../claims/person-claims.ts";
import { covers } from "../../claims/scopes.ts";
import { refuse } from "../../refusals/refused.ts";

interface UserinfoDeps extends VerifyDeps {
  readonly workforce: PromiseClient<typeof SignInService>;
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
    // A narrowed token covers only its own scopes, without the claims requested by name for the grant (RFC 6749 §6).
    const requested = covers(token.scopes, token.family.scopes) ? token.family.userinfoClaims : [];
    return { audience: token.applicationId, ...personClaims(identity, token.scopes, requested) };
  };
