import type {
  IntrospectTokenRequest,
  IntrospectTokenResponse,
  TokenStatus,
} from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { findIssuedToken, type IssuedToken, type IssuedTokenDeps } from "../../access-tokens/issued-token.ts";
import { type AuthenticatedApplication, isPublic } from "../../applications/application.ts";
import { type AuthenticationDeps, authenticateApplication } from "../../applications/authenticate-application.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { type Scope, within } from "../../claims/scopes.ts";
import { refuse } from "../../refusals/refused.ts";

interface IntrospectionDeps extends AuthenticationDeps, IssuedTokenDeps {
  readonly workforce: PromiseClient<typeof SignInService>;
}

/**
 * Whether a token of the application is valid now, by the same checks as where it is used (RFC 7662 §2.2, R-S20).
 * @throws invalid_client, for public applications too.
 */
export const introspectToken =
  (deps: IntrospectionDeps) =>
  async ({ application: credentials, token }: IntrospectTokenRequest, call: Call): Promise<IntrospectTokenResponse> => {
    const application = await authenticateApplication(deps, credentials, call);
    if (isPublic(application)) throw refuse("application.public");
    const issued = await findIssuedToken(deps, token, application);
    if (issued === undefined) return { active: null };
    const scopes = scopesOf(issued, application, deps.clock.now());
    if (scopes.length === 0) return { active: null };
    const identity = await memberIdentity(deps.workforce, issued.family, call);
    return { active: identity === undefined ? null : toStatus(issued, scopes, deps.issuer) };
  };

/**
 * What the token is good for now; nothing when it is not usable. A replaced refresh token is not, even inside its repeat
 * window. A current one gives what its application is still registered for, as where it is used (R-X131).
 */
function scopesOf(issued: IssuedToken, application: AuthenticatedApplication, now: Date): readonly Scope[] {
  if (issued.kind === "accessToken") return issued.verified.scopes;
  const { state, family } = issued;
  const isUsable =
    state.kind === "current" && now < family.current.expiresAt && application.grantTypes.includes("refresh_token");
  return isUsable ? within(application.scopes, family.scopes) : [];
}

function toStatus(issued: IssuedToken, scopes: readonly Scope[], issuer: string): TokenStatus {
  const { family } = issued;
  const common = { scopes: [...scopes], applicationId: family.applicationId, subject: family.personId, issuer };
  if (issued.kind === "refreshToken") {
    const { issuedAt, expiresAt } = family.current;
    return { ...common, ...inSeconds(issuedAt, expiresAt), tokenId: null };
  }
  const { id, issuedAt, expiresAt } = issued.verified;
  return { ...common, ...inSeconds(issuedAt, expiresAt), tokenId: id };
}

const inSeconds = (issuedAt: Date, expiresAt: Date) => ({
  issuedAt: Math.floor(issuedAt.getTime() / 1000),
  expiresAt: Math.floor(expiresAt.getTime() / 1000),
});
