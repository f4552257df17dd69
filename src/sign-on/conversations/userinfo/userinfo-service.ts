import type { GetUserinfoRequest, GetUserinfoResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { type VerifyDeps, verifyAccessToken } from "../../access-tokens/verify-access-token.ts";
import { identityClaims, type SeatClaim } from "../../claims/identity-claims.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { covers } from "../../claims/scopes.ts";
import { refuse } from "../../refusals/refused.ts";

export interface UserinfoDeps extends VerifyDeps {
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
    // A token that was narrowed tells no more than its scopes do (RFC 6749 §6).
    const requested = covers(token.scopes, token.family.scopes) ? token.family.userinfoClaims : [];
    const claims = identityClaims(identity, token.scopes, requested);
    return {
      subject: claims.sub,
      audience: token.applicationId,
      name: claims.name ?? null,
      firstName: claims.firstName ?? claims.given_name ?? null,
      lastName: claims.lastName ?? claims.family_name ?? null,
      email: claims.email ?? null,
      emailVerified: claims.email_verified ?? null,
      workerProfileId: claims.workerProfileId,
      users: claims.userIds.map(toSeat),
      workers: claims.workerIds.map(toSeat),
      lastLoginContext:
        claims.lastLoginContext === undefined
          ? null
          : { worker: claims.lastLoginContext.userType === "WORKER", tenantId: claims.lastLoginContext.clientId },
    };
  };

const toSeat = ({ id, clientId }: SeatClaim) => ({ id, tenantId: clientId });
