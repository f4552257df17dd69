import type { Check } from "./check.ts";

const SCOPES_REGISTERED =
  "Ask for fewer scopes, or have the application registered for them: gatehouse applications update --scope.";
const ASK_PLATFORM = "The application is correct. The platform's operator can give the person a seat on the instance.";
const PKCE =
  "Send code_challenge, the SHA-256 of the verifier as 43 characters of base64url, and code_challenge_method=S256.";
const PLAIN_PARAMETERS = "Send the parameters themselves, without request and request_uri.";

/**
 * Why an authorization request is refused: by an error page until application and redirect URI are proven (S1), then by an error at the
 * redirect URI (R-S8, R-S14, R-S16; OIDC Core §3.1.2.6).
 */
export const AUTHORIZATION_CHECKS = {
  "client_id.missing": {
    page: "ERROR_PAGE_REASON_UNKNOWN_APPLICATION",
    finding: "The authorization request has no client_id.",
    advice: "Send client_id as the operator gave it.",
  },
  "client_id.repeated": {
    page: "ERROR_PAGE_REASON_UNKNOWN_APPLICATION",
    finding: "The authorization request has more than one client_id.",
    advice: "Send it once.",
  },
  /** Also at the endpoints that an application authenticates at. */
  "application.unknown": {
    page: "ERROR_PAGE_REASON_UNKNOWN_APPLICATION",
    error: "invalid_client",
    sentence: "Authentication of the application failed.",
    detail: "unknown application",
    finding: "There is no application with this client_id, or it is disabled.",
    advice: "Send the client_id as the operator gave it, and to the environment that it is registered at.",
  },
  "redirect_uri.missing": {
    page: "ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI",
    finding: "The authorization request has no redirect_uri.",
    advice: "Send the redirect URI that is registered, also when there is only one.",
  },
  "redirect_uri.repeated": {
    page: "ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI",
    finding: "The authorization request has more than one redirect_uri.",
    advice: "Send it once.",
  },
  "redirect_uri.not_registered": {
    page: "ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI",
    finding: "The redirect URI is not registered for this application. It must be the same byte for byte.",
    advice: "Send one that is registered, or have this one registered: gatehouse applications redirect-uris add.",
  },
  "parameter.repeated": {
    error: "invalid_request",
    sentence: "The parameter {name} is repeated.",
    advice: "Send each parameter once. Two values often come from a library and a hand-made address that both add it.",
  },
  "parameter.too_long": {
    error: "invalid_request",
    sentence: "The parameter {name} is longer than {most} characters.",
    advice: "Shorten it; store long state in the application's own session.",
  },
  /** Also at the endpoints that read a body. */
  "parameter.in_address": {
    error: "invalid_request",
    sentence: "The parameter {name} belongs in the body, not in the address.",
    advice:
      "Send it in the body. If it is a secret, take it for stolen: addresses are logged by others; get a new one.",
  },
  "request.not_supported": {
    error: "request_not_supported",
    sentence: "Request objects are not supported.",
    advice: PLAIN_PARAMETERS,
  },
  "request_uri.not_supported": {
    error: "request_uri_not_supported",
    sentence: "Request objects are not supported.",
    advice: PLAIN_PARAMETERS,
  },
  "registration.not_supported": {
    error: "registration_not_supported",
    sentence: "Registration with the request is not supported.",
    advice: "Leave registration out, and have the application registered: gatehouse applications create.",
  },
  "response_type.missing": {
    error: "invalid_request",
    sentence: "The parameter response_type is missing.",
    advice: "Send response_type=code.",
  },
  "response_type.not_code": {
    error: "unsupported_response_type",
    sentence: "The response type must be code, not {type}.",
    advice: "Send response_type=code; tokens come from the token endpoint.",
  },
  "response_mode.unknown": {
    error: "invalid_request",
    sentence: "The response mode must be query or form_post, not {mode}.",
    advice: "Leave response_mode out, or send one of those that discovery lists.",
  },
  "response_mode.not_for_redirect_uri": {
    error: "invalid_request",
    sentence: "The response mode form_post needs an http or https redirect URI.",
    advice: "Leave response_mode out: a browser cannot post a form to a private-use scheme.",
  },
  "state.line_break": {
    error: "invalid_request",
    sentence: "With the response mode form_post a state must have no line breaks.",
    advice: "Send a state without line breaks; forms change them.",
  },
  "scope.missing": {
    error: "invalid_request",
    sentence: "The parameter scope is missing.",
    advice: "Send scope, for example openid profile.",
  },
  /** Also when a refresh asks so. */
  "scope.spaces": {
    error: "invalid_scope",
    sentence: "The scopes must be separated by single spaces, with none before or after them.",
    finding: "scope is a space alone, begins or ends with one, or has two in a row (RFC 6749 §3.3).",
    advice: "Join the names by one space each; when scope is put together by a program, leave empty names out.",
  },
  "scope.unknown": {
    error: "invalid_scope",
    sentence: "Unknown scope: {scope}.",
    advice: "Ask for scopes of openid, profile, email, offline_access, with one space between them.",
  },
  /** Also when none of a refresh token's scopes is left. */
  "scope.not_registered": {
    error: "invalid_scope",
    sentence: "The application is not registered for the scope {scope}.",
    advice: SCOPES_REGISTERED,
  },
  /** Also at the token endpoint, which names the grant type. */
  "grant.not_registered": {
    error: "unauthorized_client",
    sentence: "The application is not registered for the {grant}.",
    advice: "Have the application registered for it: gatehouse applications update --grant-type.",
  },
  "code_challenge.missing": {
    error: "invalid_request",
    sentence: "This application must send a code_challenge (PKCE).",
    advice: PKCE,
  },
  "code_challenge.malformed": {
    error: "invalid_request",
    sentence: "code_challenge must be 43 characters of base64url.",
    advice: PKCE,
  },
  "code_challenge_method.alone": {
    error: "invalid_request",
    sentence: "code_challenge_method was sent without code_challenge.",
    advice: PKCE,
  },
  "code_challenge_method.not_s256": {
    error: "invalid_request",
    sentence: "code_challenge_method must be S256; it is {sent}.",
    advice: PKCE,
  },
  "prompt.unknown": {
    error: "invalid_request",
    sentence: "Unknown value of prompt: {value}.",
    advice: "Send values of none, login, consent, select_account, or leave prompt out.",
  },
  "prompt.none_with_others": {
    error: "invalid_request",
    sentence: "prompt=none cannot be combined with other values.",
    advice: "Send prompt=none alone.",
  },
  "max_age.malformed": {
    error: "invalid_request",
    sentence: "max_age must be a number of seconds.",
    advice: "Send whole seconds, like 3600.",
  },
  "claims.malformed": {
    error: "invalid_request",
    sentence: "The parameter claims is not a JSON object of claims.",
    advice: "Send the claims parameter as OIDC Core §5.5 has it, percent-encoded once, or leave it out.",
  },
  "acr_values.not_offered": {
    error: "access_denied",
    sentence: "None of the requested authentication contexts is supported.",
    advice: "Ask for acr only as a voluntary claim, or for a value that discovery lists.",
  },
  "id_token_hint.unreadable": {
    error: "login_required",
    sentence: "The id_token_hint cannot be read.",
    advice: "Send an ID token of this issuer as it was received, or leave id_token_hint out.",
  },
  "session.missing": {
    error: "login_required",
    sentence: "The person is not signed in.",
    finding:
      "In this browser nobody is signed in, or not the person whom the request names, or the password was entered longer ago than max_age allows.",
    advice: "This answer to prompt=none is expected. Send the person without prompt=none, so that they can sign in.",
  },
  "session.other_person": {
    error: "login_required",
    sentence: "The signed-in person is not the one that the request names.",
    advice: "Ask again without id_token_hint, or have the right person sign in.",
  },
  "session.nobody_asked_for": {
    error: "login_required",
    sentence: "No person matches the subject that the request names.",
    advice: "The claims parameter and id_token_hint ask for different people: send one of them.",
  },
  "membership.none": {
    error: "access_denied",
    sentence: "The person has no access to this platform instance.",
    finding: "The person has neither a user nor a worker on the platform instance that the redirect URI belongs to.",
    advice: ASK_PLATFORM,
  },
  // The application learns no more than of a person without a seat (S19).
  "membership.disabled": {
    error: "access_denied",
    sentence: "The person has no access to this platform instance.",
    finding: "The person is disabled. Their session has ended: the next request shows the sign-in page.",
    advice: "The application is correct. An operator can enable the person again: gatehouse people enable.",
  },
  "consent.missing": {
    error: "consent_required",
    sentence: "The person has not approved this access.",
    advice: "This answer to prompt=none is expected. Send the person without prompt=none, so that they can approve.",
  },
  "consent.refused": {
    error: "access_denied",
    sentence: "The person refused the access.",
    advice: "Nothing is wrong: the person said no. Offer to try again.",
  },
} as const satisfies Readonly<Record<string, Check>>;
