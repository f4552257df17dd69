import {
  ApplicationAuthentication,
  type ApplicationCredentials,
  type ExchangeTokenRequest,
  type ExchangeTokenResponse,
} from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { components, operations } from "#generated/types/sign-on.ts";
import { decodeFormPart } from "#runtime/basis/text.ts";
import { oauthFailure } from "../../oauth-failure.ts";

type TokenRequest = operations["exchangeToken"]["requestBody"]["content"]["application/json"];
type Grants = {
  readonly [G in TokenRequest["grant_type"]]: (
    body: Extract<TokenRequest, { grant_type: G }>,
  ) => ExchangeTokenRequest["grant"];
};

/** A parameter sent without a value counts as absent (RFC 6749 §3.2). */
const given = (value: string | undefined): string | undefined => value || undefined;

/** The grant types of the contract; discovery lists them, and one that is missing here does not compile. */
const GRANTS: Grants = {
  authorization_code: ({ code, redirect_uri, code_verifier }) => ({
    $case: "authorizationCode",
    value: { code, redirectUri: redirect_uri, codeVerifier: given(code_verifier) ?? null },
  }),
  refresh_token: ({ refresh_token, scope }) => ({
    $case: "refreshToken",
    value: { refreshToken: refresh_token, scopes: given(scope)?.split(" ") ?? [] },
  }),
};

export const GRANT_TYPES = Object.keys(GRANTS) as readonly TokenRequest["grant_type"][];

/** @throws invalid_request or invalid_client when the application's credentials are not of R-S2's form. */
export function toExchangeTokenRequest(body: TokenRequest, authorization: string | undefined): ExchangeTokenRequest {
  const grant = GRANTS[body.grant_type] as (body: TokenRequest) => ExchangeTokenRequest["grant"];
  return { application: toCredentials(body, authorization), grant: grant(body) };
}

function toCredentials(body: TokenRequest, authorization: string | undefined): ApplicationCredentials {
  const applicationId = given(body.client_id);
  const secret = given(body.client_secret);
  if (authorization !== undefined) {
    const basic = parseBasic(authorization);
    if (secret !== undefined)
      throw oauthFailure("invalid_request", "The application authenticates twice: in the header and in the body.");
    if (applicationId !== undefined && applicationId !== basic.applicationId) {
      throw oauthFailure("invalid_request", "client_id differs from the one in the Authorization header.");
    }
    return { authentication: ApplicationAuthentication.APPLICATION_AUTHENTICATION_BASIC, ...basic };
  }
  if (applicationId === undefined) throw oauthFailure("invalid_request", "The parameter client_id is missing.");
  return secret === undefined
    ? { authentication: ApplicationAuthentication.APPLICATION_AUTHENTICATION_NONE, applicationId, secret: "" }
    : { authentication: ApplicationAuthentication.APPLICATION_AUTHENTICATION_POST, applicationId, secret };
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** RFC 7617 with the form-decoding of RFC 6749 §2.3.1. Strict: the one spelling of its bytes, valid UTF-8, one colon at least. */
function parseBasic(authorization: string): { applicationId: string; secret: string } {
  const malformed = () =>
    oauthFailure("invalid_client", "Authentication of the application failed.", {
      detail: "malformed Authorization header",
    });
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw malformed();
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64") !== encoded) throw malformed();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const colon = text.indexOf(":");
    if (colon < 0) throw malformed();
    const applicationId = decodeFormPart(text.slice(0, colon));
    const secret = decodeFormPart(text.slice(colon + 1));
    if (applicationId === undefined || secret === undefined) throw malformed();
    return { applicationId, secret };
  } catch {
    throw malformed();
  }
}

export const toTokenResponse = (reply: ExchangeTokenResponse): components["schemas"]["TokenResponse"] => ({
  access_token: reply.accessToken,
  token_type: "Bearer",
  expires_in: reply.expiresInSeconds,
  refresh_token: reply.refreshToken,
  ...(typeof reply.idToken === "string" ? { id_token: reply.idToken } : {}),
  scope: reply.scopes.join(" "),
});
