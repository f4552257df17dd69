import type {
  IntrospectTokenRequest,
  IntrospectTokenResponse,
  TokenStatus,
} from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { findIssuedToken, type IssuedToken, type IssuedTokenDeps } from "../../access-tokens/issued-token.ts";
import { isPublic } from "../../applications/application.ts";
import { toProof } from "../../applications/application-credentials-wire.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import { authenticateApplication } from "../../applications/authenticate-application.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { refuse } from "../../refusals/refused.ts";

interface IntrospectionDeps extends IssuedTokenDeps {
  readonly applications: ApplicationRepository;
  readonly workforce: PromiseClient<typeof SignInService>;
}

/**
 * Whether a token of the application is valid now, by the same checks as where it is used (RFC 7662 §2.2, R-S20).
 * @throws invalid_client, for public applications too.
 */
export const introspectToken =
  (deps: IntrospectionDeps) =>
  async ({ application: credentials, token }: IntrospectTokenRequest, call: Call): Promise<IntrospectTokenResponse> => {
    const application = await authenticateApplication(deps.applications, toProof(credentials), deps.clock.now());
    if (isPublic(application)) throw refuse("application.public");
    const issued = await findIssuedToken(deps, token, application);
    if (issued === undefined || !isUsable(issued, deps.clock.now())) return { active: null };
    const identity = await memberIdentity(deps.workforce, issued.family, call);
    return { active: identity === undefined ? null : toStatus(issued, deps.issuer) };
  };

/** A replaced refresh token is inactive, even inside its repeat window. */
const isUsable = (issued: IssuedToken, now: Date): boolean =>
  issued.kind === "accessToken" || (issued.state.kind === "current" && now < issued.family.current.expiresAt);

function toStatus(issued: IssuedToken, issuer: string): TokenStatus {
  const { family } = issued;
  const common = { applicationId: family.applicationId, subject: family.personId, issuer };
  if (issued.kind === "refreshToken") {
    const { issuedAt, expiresAt } = family.current;
    return { ...common, scopes: [...family.scopes], ...inSeconds(issuedAt, expiresAt), tokenId: null };
  }
  const { id, scopes, issuedAt, expiresAt } = issued.verified;
  return { ...common, scopes: [...scopes], ...inSeconds(issuedAt, expiresAt), tokenId: id };
}

const inSeconds = (issuedAt: Date, expiresAt: Date) => ({
  issuedAt: Math.floor(issuedAt.getTime() / 1000),
  expiresAt: Math.floor(expiresAt.getTime() / 1000),
});
