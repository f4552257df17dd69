import { operations as paths } from "#generated/operations/sign-on.ts";
import type { GetJwksResponse, PublicKey } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { components } from "#generated/types/sign-on.ts";
import { CLAIM_NAMES } from "../../claims/claims-wire.ts";
import { AUTHENTICATION_CONTEXT } from "../../claims/requested-claims.ts";
import { SCOPES } from "../../claims/scopes.ts";
import { PROMPTS, RESPONSE_MODES } from "../../interactions/interaction.ts";

/** How an application may authenticate (R-S2); introspection requires a secret (R-S20). */
const AUTHENTICATION_METHODS = ["client_secret_basic", "client_secret_post", "none"] as const;

type Schemas = components["schemas"];

/** The discovery document: addresses from the contract's operation table, values from the lists that the code uses. */
export const toOpenidConfiguration = (
  issuer: string,
  grantTypes: readonly string[],
  languages: readonly string[],
): Schemas["OpenidConfiguration"] => ({
  issuer,
  authorization_endpoint: `${issuer}${paths.authorize.path}`,
  token_endpoint: `${issuer}${paths.exchangeToken.path}`,
  userinfo_endpoint: `${issuer}${paths.getUserinfo.path}`,
  revocation_endpoint: `${issuer}${paths.revokeToken.path}`,
  introspection_endpoint: `${issuer}${paths.introspectToken.path}`,
  jwks_uri: `${issuer}${paths.getJwks.path}`,
  end_session_endpoint: `${issuer}${paths.logout.path}`,
  scopes_supported: [...SCOPES],
  response_types_supported: ["code"],
  response_modes_supported: [...RESPONSE_MODES],
  grant_types_supported: [...grantTypes],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  token_endpoint_auth_methods_supported: [...AUTHENTICATION_METHODS],
  revocation_endpoint_auth_methods_supported: [...AUTHENTICATION_METHODS],
  introspection_endpoint_auth_methods_supported: AUTHENTICATION_METHODS.filter((method) => method !== "none"),
  code_challenge_methods_supported: ["S256"],
  acr_values_supported: [AUTHENTICATION_CONTEXT],
  claims_supported: [...CLAIM_NAMES],
  claim_types_supported: ["normal"],
  prompt_values_supported: [...PROMPTS],
  ui_locales_supported: [...languages],
  claims_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
});

export const toJwks = ({ keys }: GetJwksResponse): Schemas["Jwks"] => ({ keys: keys.map(toPublicKey) });

function toPublicKey({ keyId, algorithm, material }: PublicKey): Schemas["PublicKey"] {
  const common = { kid: keyId, use: "sig", alg: algorithm === "RS256" ? "RS256" : "ES256" } as const;
  return material?.$case === "rsa"
    ? { kty: "RSA", ...common, n: material.value.n, e: material.value.e }
    : { kty: "EC", ...common, crv: material?.value.crv ?? "", x: material?.value.x ?? "", y: material?.value.y ?? "" };
}
