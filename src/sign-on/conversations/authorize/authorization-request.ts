import { type Application, isPublic } from "../../applications/application.ts";
import { isChallenge } from "../../authorization-codes/pkce.ts";
import { AUTHENTICATION_CONTEXT } from "../../claims/authentication-context.ts";
import { type ClaimsRequest, NO_CLAIMS, parseClaimsRequest, withinScopes } from "../../claims/requested-claims.ts";
import { covers, parseScopes, type Scope } from "../../claims/scopes.ts";
import { type AuthorizationRequest, PROMPTS, type Prompt, type ResponseMode } from "../../interactions/interaction.ts";
import {
  type BoundedParameters,
  given,
  type OnceParameters,
  type ParameterName,
  type Parameters,
  standingOnce,
  withinBounds,
} from "./parameters.ts";
import { changesInForm, type ProvenTarget, takesForms } from "./proven-target.ts";
import { RequestRefused } from "./request-refused.ts";

/** A request whose `id_token_hint`, if any, has not been read yet. */
export interface ParsedRequest {
  readonly request: AuthorizationRequest;
  readonly idTokenHint: string | undefined;
}

/**
 * The request as a value that the rest of the sign-in builds on. The checks run in the order they stand; each takes what the one before
 * has proven (R-S8, R-S14, R-S16).
 * @param misplaced names of the parameters that stand in the address of a POST.
 * @throws RequestRefused with the error of the first check that refuses.
 */
export function parseAuthorizationRequest(
  sent: Parameters,
  target: ProvenTarget,
  misplaced: readonly string[] = [],
): ParsedRequest {
  const { application, redirectUri, instanceId, state } = target;
  assertInPlace(misplaced);
  const once = standingOnce(sent);
  assertPlain(once);
  const parameters = withinBounds(once);
  assertCodeGrant(parameters, application);
  const responseMode = responseModeOf(parameters, target);
  const scopes = scopesOf(parameters, application);
  const codeChallenge = challengeOf(parameters, application);
  const prompts = promptsOf(parameters);
  const maxAgeSeconds = maxAgeOf(parameters);
  const { claims, personIds } = claimsOf(parameters, application);
  const request = {
    applicationId: application.id,
    redirectUri,
    instanceId,
    scopes,
    state,
    nonce: given(parameters, "nonce"),
    codeChallenge,
    prompts,
    maxAgeSeconds,
    loginHint: given(parameters, "login_hint"),
    responseMode,
    uiLocales: given(parameters, "ui_locales"),
    expectedPersonIds: personIds,
    claims,
  };
  return { request, idTokenHint: given(parameters, "id_token_hint") };
}

const refuse = (...reason: ConstructorParameters<typeof RequestRefused>): never => {
  throw new RequestRefused(...reason);
};

function assertInPlace([name]: readonly string[]): void {
  if (name !== undefined) refuse("invalid_request", `The parameter ${name} belongs in the body, not in the address.`);
}

/** What would say the request in another way, with the error made for each (OIDC Core §3.1.2.6). */
const OTHER_WAYS = [
  ["request", "request_not_supported", "Request objects are not supported."],
  ["request_uri", "request_uri_not_supported", "Request objects are not supported."],
  ["registration", "registration_not_supported", "Registration with the request is not supported."],
] as const satisfies readonly (readonly [ParameterName, ...ConstructorParameters<typeof RequestRefused>])[];

function assertPlain(parameters: OnceParameters): void {
  const other = OTHER_WAYS.find(([name]) => given(parameters, name) !== undefined);
  if (other !== undefined) refuse(other[1], other[2]);
}

function assertCodeGrant(parameters: BoundedParameters, application: Application): void {
  const type = given(parameters, "response_type");
  if (type === undefined) refuse("invalid_request", "The parameter response_type is missing.");
  if (type !== "code") refuse("unsupported_response_type", "The response type must be code.");
  if (!application.grantTypes.includes("authorization_code"))
    refuse("unauthorized_client", "The application is not registered for the authorization code grant.");
}

function responseModeOf(parameters: BoundedParameters, { redirectUri }: ProvenTarget): ResponseMode {
  const mode = given(parameters, "response_mode") ?? "query";
  if (mode === "query") return mode;
  if (mode !== "form_post") return refuse("invalid_request", "The response mode must be query or form_post.");
  if (!takesForms(redirectUri))
    refuse("invalid_request", "The response mode form_post needs an http or https redirect URI.");
  if (changesInForm(given(parameters, "state") ?? ""))
    refuse("invalid_request", "With the response mode form_post a state must have no line breaks.");
  return mode;
}

function scopesOf(parameters: BoundedParameters, application: Application): readonly Scope[] {
  const scope = given(parameters, "scope");
  if (scope === undefined) return refuse("invalid_request", "The parameter scope is missing.");
  const scopes = parseScopes(scope);
  if (scopes === undefined) return refuse("invalid_scope", "A requested scope is unknown.");
  if (!covers(application.scopes, scopes))
    refuse("invalid_scope", "The application is not registered for a requested scope.");
  return scopes;
}

function challengeOf(parameters: BoundedParameters, application: Application): string | undefined {
  const challenge = given(parameters, "code_challenge");
  const method = given(parameters, "code_challenge_method");
  if (challenge === undefined) {
    if (method !== undefined) refuse("invalid_request", "code_challenge_method stands without code_challenge.");
    if (application.pkceRequired || isPublic(application))
      refuse("invalid_request", "This application must send a code_challenge (PKCE).");
    return undefined;
  }
  // RFC 7636 §4.3: an absent method would mean plain, which is not offered.
  if (method !== "S256") refuse("invalid_request", "code_challenge_method must be S256.");
  if (!isChallenge(challenge)) refuse("invalid_request", "code_challenge must be 43 characters of base64url.");
  return challenge;
}

const isPrompt = (name: string): name is Prompt => (PROMPTS as readonly string[]).includes(name);

function promptsOf(parameters: BoundedParameters): readonly Prompt[] {
  const names = (given(parameters, "prompt") ?? "").split(" ").filter((name) => name !== "");
  const prompts = names.filter(isPrompt);
  if (prompts.length < names.length) refuse("invalid_request", "A value of prompt is unknown.");
  if (prompts.includes("none") && prompts.length > 1)
    refuse("invalid_request", "prompt=none stands with other values.");
  return prompts;
}

function maxAgeOf(parameters: BoundedParameters): number | undefined {
  const maxAge = given(parameters, "max_age");
  if (maxAge === undefined) return undefined;
  if (!/^[0-9]{1,9}$/.test(maxAge)) refuse("invalid_request", "max_age must be a number of seconds.");
  return Number(maxAge);
}

/** Claims of scopes that the application is not registered for are left out: to lack one is no error (OIDC Core §5.5.1). */
function claimsOf(
  parameters: BoundedParameters,
  application: Application,
): Pick<ClaimsRequest, "claims" | "personIds"> {
  const json = given(parameters, "claims");
  if (json === undefined) return { claims: NO_CLAIMS, personIds: undefined };
  const parsed = parseClaimsRequest(json);
  if (parsed === undefined) return refuse("invalid_request", "The parameter claims is not a JSON object of claims.");
  if (parsed.contexts !== undefined && !parsed.contexts.includes(AUTHENTICATION_CONTEXT))
    refuse("access_denied", "None of the authentication contexts that were asked for is offered.");
  return { claims: withinScopes(parsed.claims, application.scopes), personIds: parsed.personIds };
}
