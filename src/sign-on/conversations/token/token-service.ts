import type { ExchangeTokenRequest, ExchangeTokenResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { signAccessToken } from "../../access-tokens/access-token.ts";
import type { VerifiedSignatures } from "../../access-tokens/verified-signatures.ts";
import type { AuthenticatedApplication, GrantType } from "../../applications/application.ts";
import { type AuthenticationDeps, authenticateApplication } from "../../applications/authenticate-application.ts";
import { refuse } from "../../refusals/refused.ts";
import type { SigningAlgorithm } from "../../signing-keys/signing-key-repository.ts";
import type { JwtSigner, SigningKeys } from "../../signing-keys/signing-keys.ts";
import { authorizationCodeGrant, type GrantDeps } from "./authorization-code-grant.ts";
import type { Granted } from "./grant.ts";
import { signIdToken } from "./id-token.ts";
import { refreshTokenGrant } from "./refresh-token-grant.ts";

interface TokenDeps extends AuthenticationDeps, GrantDeps {
  readonly keys: SigningKeys;
  readonly signatures: VerifiedSignatures;
  /** R-S12. */
  readonly accessTokenAlgorithm: SigningAlgorithm;
  readonly issuer: string;
}

/**
 * Exchanges a grant for tokens: authenticates the application, checks that it may use the grant, redeems the grant,
 * signs.
 * @throws the refusals of spec §7.2; neither a failed authentication (R-S1) nor a missing signing key spends anything.
 */
export const exchangeToken = (deps: TokenDeps) => {
  const grants = { authorizationCode: authorizationCodeGrant(deps), refreshToken: refreshTokenGrant(deps) };
  const redeem = (grant: ExchangeTokenRequest["grant"], application: AuthenticatedApplication, call: Call) => {
    switch (grant?.$case) {
      case "authorizationCode":
        return grants.authorizationCode.redeem(grant.value, application, call);
      case "refreshToken":
        return grants.refreshToken.redeem(grant.value, application, call);
      case undefined:
        throw refuse("grant_type.unknown", { types: Object.values(TYPES).join(" or ") });
    }
  };
  return async (request: ExchangeTokenRequest, call: Call): Promise<ExchangeTokenResponse> => {
    const application = await authenticateApplication(deps, request.application, call);
    assertGrantPermitted(application, request.grant);
    const signers = { access: await deps.keys.signer(deps.accessTokenAlgorithm), id: await deps.keys.signer("RS256") };
    const granted = await redeem(request.grant, application, call);
    const [answer] = await Promise.all([issue(deps, signers, granted, application), granted.spent]);
    return answer;
  };
};

const TYPES = { authorizationCode: "authorization_code", refreshToken: "refresh_token" } as const satisfies Readonly<
  Record<string, GrantType>
>;

/** @throws unauthorized_client (RFC 6749 §5.2) before the grant is read. */
function assertGrantPermitted({ grantTypes }: AuthenticatedApplication, grant: ExchangeTokenRequest["grant"]): void {
  if (grant === null) return;
  const type = TYPES[grant.$case];
  if (!grantTypes.includes(type)) throw refuse("grant.not_registered", { grant: `grant type ${type}` });
}

async function issue(
  { issuer, clock, random, signatures }: TokenDeps,
  signers: { readonly access: JwtSigner; readonly id: JwtSigner },
  granted: Granted,
  application: AuthenticatedApplication,
): Promise<ExchangeTokenResponse> {
  const { family, scopes, refreshToken } = granted;
  const now = clock.now();
  // Every token is invalid after its family's end, so no token's expiry is later.
  const familySeconds = Math.ceil((family.expiresAt.getTime() - now.getTime()) / 1000);
  const lifetimeSeconds = Math.max(1, Math.min(application.lifetimes.accessTokenSeconds, familySeconds));
  const accessToken = await signAccessToken(
    {
      issuer,
      personId: family.personId,
      applicationId: application.id,
      familyId: family.id,
      scopes,
      issuedAt: now,
      lifetimeSeconds,
    },
    { signer: signers.access, random, signatures },
  );
  const idToken = await signIdToken(granted, application, accessToken, { issuer, signer: signers.id, now });
  return {
    accessToken,
    expiresInSeconds: lifetimeSeconds,
    refreshToken,
    idToken: idToken ?? null,
    scopes: [...scopes],
  };
}
