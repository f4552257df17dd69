import type { ExchangeTokenRequest, ExchangeTokenResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { components, operations } from "#generated/types/sign-on.ts";
import type { GrantType } from "../../applications/application.ts";
import { given, toCredentials } from "../../applications/application-credentials-wire.ts";

type TokenRequest = operations["exchangeToken"]["requestBody"]["content"]["application/json"];
interface GrantWire<Body> {
  /** Parameters that must be texts. */
  readonly required: readonly string[];
  toGrant(body: Body): ExchangeTokenRequest["grant"];
}

/** By grant type; one that only the contract or only `GRANT_TYPES` has does not compile. */
export const GRANTS: { readonly [G in GrantType]: GrantWire<Extract<TokenRequest, { grant_type: G }>> } = {
  authorization_code: {
    required: ["code", "redirect_uri"],
    toGrant: ({ code, redirect_uri, code_verifier }) => ({
      $case: "authorizationCode",
      value: { code, redirectUri: redirect_uri, codeVerifier: given(code_verifier) ?? null },
    }),
  },
  refresh_token: {
    required: ["refresh_token"],
    toGrant: ({ refresh_token, scope }) => ({
      $case: "refreshToken",
      value: { refreshToken: refresh_token, scopes: given(scope)?.split(" ") ?? [] },
    }),
  },
};

/** The parameters of the endpoint, read from the body only. */
export const PARAMETERS = [
  "grant_type",
  "code",
  "redirect_uri",
  "code_verifier",
  "refresh_token",
  "scope",
  "client_id",
  "client_secret",
] as const;

/** @throws invalid_request or invalid_client when the application's credentials do not have the form of R-S2. */
export function toExchangeTokenRequest(body: TokenRequest, authorization: string | undefined): ExchangeTokenRequest {
  const { toGrant }: GrantWire<never> = GRANTS[body.grant_type];
  return { application: toCredentials(body, authorization), grant: toGrant(body as never) };
}

export const toTokenResponse = (reply: ExchangeTokenResponse): components["schemas"]["TokenResponse"] => ({
  access_token: reply.accessToken,
  token_type: "Bearer",
  expires_in: reply.expiresInSeconds,
  refresh_token: reply.refreshToken,
  ...(typeof reply.idToken === "string" ? { id_token: reply.idToken } : {}),
  scope: reply.scopes.join(" "),
});
