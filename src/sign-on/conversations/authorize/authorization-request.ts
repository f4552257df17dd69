import type { Application } from "../../applications/application.ts";
import { isPublic } from "../../applications/application.ts";
import { isChallenge } from "../../authorization-codes/pkce.ts";
import { covers, parseScopes, type Scope } from "../../claims/scopes.ts";
import type { AuthorizationErrorCode } from "../../interactions/authorization-response.ts";
import { type AuthorizationRequest, PROMPTS, type Prompt } from "../../interactions/interaction.ts";

/** Parameters as sent: name to all values. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Parameters longer than this are refused; nothing legitimate comes near. */
const VALUE_LENGTH_MAX = 2_048;

/** Why a proven application's request is refused, in the words of the authorization response. */
export interface RequestRefusal {
  readonly error: AuthorizationErrorCode;
  readonly description: string;
}

/** The redirect URI that was proven before the rest is looked at. */
export interface ProvenTarget {
  readonly redirectUri: string;
  readonly instanceId: AuthorizationRequest["instanceId"];
}

type Check = (parameters: Parameters, application: Application) => RequestRefusal | undefined;

/** A parameter's value; one sent without a value counts as absent (RFC 6749 §3.1). */
const one = (parameters: Parameters, name: string): string | undefined => parameters.get(name)?.[0] || undefined;

const refusal = (error: AuthorizationErrorCode, description: string): RequestRefusal => ({ error, description });

/** The parameters that we read. */
const READ = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "prompt",
  "max_age",
  "login_hint",
  "response_mode",
  "request",
  "request_uri",
] as const;

/** Those that have a meaning, read or not; a repeated one is refused, others are ignored (RFC 6749 §3.1, R-S14). */
const KNOWN = [...READ, "id_token_hint", "ui_locales", "claims_locales", "display", "acr_values", "claims"] as const;

/** In order; the first that refuses answers. */
const CHECKS: readonly Check[] = [
  (parameters) => {
    const repeated = KNOWN.find((name) => (parameters.get(name)?.length ?? 0) > 1);
    return repeated === undefined
      ? undefined
      : refusal("invalid_request", `The parameter ${repeated} stands more than once.`);
  },
  (parameters) =>
    one(parameters, "request") === undefined
      ? undefined
      : refusal("request_not_supported", "Request objects are not supported."),
  (parameters) =>
    one(parameters, "request_uri") === undefined
      ? undefined
      : refusal("request_uri_not_supported", "Request objects are not supported."),
  (parameters) => {
    const long = READ.find((name) => (one(parameters, name)?.length ?? 0) > VALUE_LENGTH_MAX);
    return long === undefined
      ? undefined
      : refusal("invalid_request", `The parameter ${long} is longer than ${VALUE_LENGTH_MAX} characters.`);
  },
  (parameters) => {
    const type = one(parameters, "response_type");
    if (type === undefined) return refusal("invalid_request", "The parameter response_type is missing.");
    return type === "code" ? undefined : refusal("unsupported_response_type", "The response type must be code.");
  },
  (parameters) => {
    const mode = one(parameters, "response_mode");
    return mode === undefined || mode === "query"
      ? undefined
      : refusal("invalid_request", "The response mode must be query.");
  },
  (parameters, application) => {
    const scope = one(parameters, "scope");
    if (scope === undefined) return refusal("invalid_request", "The parameter scope is missing.");
    const scopes = parseScopes(scope);
    if (scopes === undefined) return refusal("invalid_scope", "A requested scope is unknown.");
    return covers(application.scopes, scopes)
      ? undefined
      : refusal("invalid_scope", "The application is not registered for a requested scope.");
  },
  (parameters, application) => {
    const challenge = one(parameters, "code_challenge");
    const method = one(parameters, "code_challenge_method");
    if (challenge === undefined) {
      if (method !== undefined)
        return refusal("invalid_request", "code_challenge_method stands without code_challenge.");
      const required = application.pkceRequired || isPublic(application);
      return required ? refusal("invalid_request", "This application must send a code_challenge (PKCE).") : undefined;
    }
    // RFC 7636 §4.3: an absent method would mean plain, which is not offered.
    if (method !== "S256") return refusal("invalid_request", "code_challenge_method must be S256.");
    return isChallenge(challenge)
      ? undefined
      : refusal("invalid_request", "code_challenge must be 43 characters of base64url.");
  },
  (parameters) => {
    const prompts = promptsOf(parameters);
    if (prompts === undefined) return refusal("invalid_request", "A value of prompt is unknown.");
    return prompts.includes("none") && prompts.length > 1
      ? refusal("invalid_request", "prompt=none stands with other values.")
      : undefined;
  },
  (parameters) => {
    const maxAge = one(parameters, "max_age");
    return maxAge === undefined || /^[0-9]{1,9}$/.test(maxAge)
      ? undefined
      : refusal("invalid_request", "max_age must be a number of seconds.");
  },
];

function promptsOf(parameters: Parameters): readonly Prompt[] | undefined {
  const names = (one(parameters, "prompt") ?? "").split(" ").filter((name) => name !== "");
  return names.every((name): name is Prompt => (PROMPTS as readonly string[]).includes(name)) ? names : undefined;
}

/**
 * The request as a value that the rest of the sign-in builds on, or why it is refused; the checks run in the order they stand (R-S8,
 * R-S14, R-S16).
 */
export function parseAuthorizationRequest(
  parameters: Parameters,
  application: Application,
  target: ProvenTarget,
): { readonly request: AuthorizationRequest } | { readonly refused: RequestRefusal } {
  for (const check of CHECKS) {
    const refused = check(parameters, application);
    if (refused !== undefined) return { refused };
  }
  const maxAge = one(parameters, "max_age");
  return {
    request: {
      applicationId: application.id,
      ...target,
      scopes: parseScopes(one(parameters, "scope") ?? "") as readonly Scope[],
      // As it came, empty too (S7).
      state: parameters.get("state")?.[0],
      nonce: one(parameters, "nonce"),
      codeChallenge: one(parameters, "code_challenge"),
      prompts: promptsOf(parameters) ?? [],
      maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge),
      loginHint: one(parameters, "login_hint"),
    },
  };
}
