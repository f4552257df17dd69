import {
  ApplicationAuthentication,
  type ApplicationCredentials,
  type ExchangeTokenRequest,
  type ExchangeTokenResponse,
} from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { signAccessToken } from "../../access-tokens/access-token.ts";
import type { AuthenticatedApplication } from "../../applications/application.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import { type ApplicationProof, authenticateApplication } from "../../applications/authenticate-application.ts";
import { oauthFailure } from "../../oauth-failure.ts";
import type { SigningKeys } from "../../signing-keys/signing-keys.ts";
import { authorizationCodeGrant, type GrantDeps } from "./authorization-code-grant.ts";
import type { Granted } from "./grant.ts";
import { signIdToken } from "./id-token.ts";
import { refreshTokenGrant } from "./refresh-token-grant.ts";

export interface TokenDeps extends GrantDeps {
  readonly applications: ApplicationRepository;
  readonly keys: SigningKeys;
  readonly issuer: string;
}

/**
 * Exchanges a grant for tokens: authenticate the application, redeem the grant, sign.
 * @throws the refusals of spec §7.2; a failed authentication spends nothing (R-S1).
 */
export const exchangeToken = (deps: TokenDeps) => {
  const grants = { authorizationCode: authorizationCodeGrant(deps), refreshToken: refreshTokenGrant(deps) };
  return async (request: ExchangeTokenRequest, { requestId }: Call): Promise<ExchangeTokenResponse> => {
    const application = await authenticateApplication(deps.applications, proofOf(request.application));
    const { grant } = request;
    switch (grant?.$case) {
      case "authorizationCode":
        return issue(deps, await grants.authorizationCode.redeem(grant.value, application, requestId), application);
      case "refreshToken":
        return issue(deps, await grants.refreshToken.redeem(grant.value, application, requestId), application);
      default:
        throw oauthFailure("unsupported_grant_type", "The grant type must be authorization_code or refresh_token.");
    }
  };
};

async function issue(
  { keys, issuer, clock, random }: TokenDeps,
  granted: Granted,
  application: AuthenticatedApplication,
): Promise<ExchangeTokenResponse> {
  const { family, scopes, refreshToken } = granted;
  const now = clock.now();
  const lifetimeSeconds = application.lifetimes.accessTokenSeconds;
  const accessToken = signAccessToken(
    {
      issuer,
      personId: family.personId,
      applicationId: application.id,
      familyId: family.id,
      scopes,
      issuedAt: now,
      lifetimeSeconds,
    },
    await keys.signer("ES256"),
    random,
  );
  const idToken = signIdToken(granted, application, accessToken, { issuer, signer: await keys.signer("RS256"), now });
  return {
    accessToken,
    expiresInSeconds: lifetimeSeconds,
    refreshToken,
    idToken: idToken ?? null,
    scopes: [...scopes],
  };
}

const AUTHENTICATIONS: Readonly<Record<string, ApplicationProof["authentication"]>> = {
  [ApplicationAuthentication.APPLICATION_AUTHENTICATION_BASIC]: "basic",
  [ApplicationAuthentication.APPLICATION_AUTHENTICATION_POST]: "post",
};

const proofOf = (credentials: ApplicationCredentials | null): ApplicationProof => ({
  authentication: AUTHENTICATIONS[credentials?.authentication ?? ""] ?? "none",
  applicationId: credentials?.applicationId ?? "",
  secret: credentials?.secret ?? "",
});
