import { type Application, isPublic } from "../../applications/application.ts";
import { isChallenge } from "../../authorization-codes/pkce.ts";
import {
  AUTHENTICATION_CONTEXT,
  type ClaimsRequest,
  NO_CLAIMS,
  parseClaimsRequest,
  withinScopes,
} from "../../claims/requested-claims.ts";
import { firstBeyond, firstUnknownScope, hasStraySpace, parseScopes, type Scope } from "../../claims/scopes.ts";
import { type AuthorizationRequest, PROMPTS, type Prompt, type ResponseMode } from "../../interactions/interaction.ts";
import { quoted, refuse } from "../../refusals/refused.ts";
import {
  type BoundedParameters,
  type OnceParameters,
  type Parameters,
  sentValue,
  withinBounds,
  withoutRepeats,
} from "./parameters.ts";
import { changesInForm, type ProvenTarget, takesForms } from "./proven-target.ts";

/** A request whose `id_token_hint`, if any, is still unread. */
export interface ParsedRequest {
  readonly request: AuthorizationRequest;
  readonly idTokenHint: string | undefined;
}

/**
 * The parsed request, which the rest of the sign-in uses. The checks run in the order of the code; each takes the
 * result of the one before (R-S8, R-S14, R-S16).
 * @param misplaced names of the parameters in the address of a POST.
 * @throws Refused with the error of the first check that refuses.
 */
export function parseAuthorizationRequest(
  sent: Parameters,
  target: ProvenTarget,
  misplaced: readonly string[] = [],
): ParsedRequest {
  const { application, redirectUri, instanceId, state } = target;
  assertInPlace(misplaced);
  const once = withoutRepeats(sent);
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
    nonce: sentValue(parameters, "nonce"),
    codeChallenge,
    prompts,
    maxAgeSeconds,
    loginHint: sentValue(parameters, "login_hint"),
    responseMode,
    uiLocales: sentValue(parameters, "ui_locales"),
    expectedPersonIds: personIds,
    claims,
  };
  return { request, idTokenHint: sentValue(parameters, "id_token_hint") };
}

function assertInPlace([name]: readonly string[]): void {
  if (name !== undefined) throw refuse("parameter.in_address", { name });
}

/** Each other way to send the request has an error of its own (OIDC Core §3.1.2.6). */
function assertPlain(parameters: OnceParameters): void {
  if (sentValue(parameters, "request") !== undefined) throw refuse("request.not_supported");
  if (sentValue(parameters, "request_uri") !== undefined) throw refuse("request_uri.not_supported");
  if (sentValue(parameters, "registration") !== undefined) throw refuse("registration.not_supported");
}

function assertCodeGrant(parameters: BoundedParameters, application: Application): void {
  const type = sentValue(parameters, "response_type");
  if (type === undefined) throw refuse("response_type.missing");
  if (type !== "code") throw refuse("response_type.not_code", { type: quoted(type) });
  if (!application.grantTypes.includes("authorization_code"))
    throw refuse("grant.not_registered", { grant: "authorization code grant" });
}

function responseModeOf(parameters: BoundedParameters, { redirectUri }: ProvenTarget): ResponseMode {
  const mode = sentValue(parameters, "response_mode") ?? "query";
  if (mode === "query") return mode;
  if (mode !== "form_post") throw refuse("response_mode.unknown", { mode: quoted(mode) });
  if (!takesForms(redirectUri)) throw refuse("response_mode.not_for_redirect_uri");
  if (changesInForm(sentValue(parameters, "state") ?? "")) throw refuse("state.line_break");
  return mode;
}

function scopesOf(parameters: BoundedParameters, application: Application): readonly Scope[] {
  const scope = sentValue(parameters, "scope");
  if (scope === undefined) throw refuse("scope.missing");
  if (hasStraySpace(scope)) throw refuse("scope.spaces");
  const scopes = parseScopes(scope);
  if (scopes === undefined) throw refuse("scope.unknown", { scope: quoted(firstUnknownScope(scope)) });
  const missing = firstBeyond(application.scopes, scopes);
  if (missing !== undefined) throw refuse("scope.not_registered", { scope: quoted(missing) });
  return scopes;
}

function challengeOf(parameters: BoundedParameters, application: Application): string | undefined {
  const challenge = sentValue(parameters, "code_challenge");
  const method = sentValue(parameters, "code_challenge_method");
  if (challenge === undefined) {
    if (method !== undefined) throw refuse("code_challenge_method.alone");
    if (application.pkceRequired || isPublic(application)) throw refuse("code_challenge.missing");
    return undefined;
  }
  // RFC 7636 §4.3: an absent method would mean plain, which is not offered.
  if (method !== "S256")
    throw refuse("code_challenge_method.not_s256", { sent: method === undefined ? "absent" : quoted(method) });
  if (!isChallenge(challenge)) throw refuse("code_challenge.malformed");
  return challenge;
}

/** Longer than any session lives, so that a longer time means the same. */
const MAX_AGE_SECONDS_MAX = 999_999_999;

const isPrompt = (name: string): name is Prompt => (PROMPTS as readonly string[]).includes(name);

function promptsOf(parameters: BoundedParameters): readonly Prompt[] {
  const names = (sentValue(parameters, "prompt") ?? "").split(" ").filter((name) => name !== "");
  const prompts = names.filter(isPrompt);
  const unknown = names.find((name) => !isPrompt(name));
  if (unknown !== undefined) throw refuse("prompt.unknown", { value: quoted(unknown) });
  if (prompts.includes("none") && prompts.length > 1) throw refuse("prompt.none_with_others");
  return prompts;
}

function maxAgeOf(parameters: BoundedParameters): number | undefined {
  const maxAge = sentValue(parameters, "max_age");
  if (maxAge === undefined) return undefined;
  if (!/^[0-9]{1,15}$/.test(maxAge)) throw refuse("max_age.malformed");
  return Math.min(Number(maxAge), MAX_AGE_SECONDS_MAX);
}

/**
 * Claims of scopes that the application is not registered for are omitted: a missing claim is no error (OIDC Core
 * §5.5.1).
 */
function claimsOf(
  parameters: BoundedParameters,
  application: Application,
): Pick<ClaimsRequest, "claims" | "personIds"> {
  const json = sentValue(parameters, "claims");
  if (json === undefined) return { claims: NO_CLAIMS, personIds: undefined };
  const parsed = parseClaimsRequest(json);
  if (parsed === undefined) throw refuse("claims.malformed");
  if (parsed.contexts !== undefined && !parsed.contexts.includes(AUTHENTICATION_CONTEXT))
    throw refuse("acr_values.not_offered");
  return { claims: withinScopes(parsed.claims, application.scopes), personIds: parsed.personIds };
}
