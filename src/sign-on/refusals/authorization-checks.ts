import type { Check } from "./check.ts";

const SCOPES_REGISTERED =
  "Ask for fewer scopes, or have the application registered for them: gatehouse applications update --scope.";
const ASK_PLATFORM =
  "Nothing is wrong with the application. Whoever runs the platform can give the person a seat there.";
const PKCE =
  "Send code_challenge, the SHA-256 of the verifier as 43 characters of base64url, and code_challenge_method=S256.";

/** Why an authorization request is refused at the redirect URI (R-S8, R-S14, R-S16; OIDC Core §3.1.2.6). */
export const AUTHORIZATION_CHECKS: readonly Check[] = [
  {
    name: "parameter.repeated",
    said: /^The parameter \S+ stands more than once\.$/,
    advice: "Send each parameter once. Two values often come from a library and a hand-made address that both add it.",
  },
  {
    name: "parameter.too_long",
    said: /^The parameter \S+ is longer than \S+ characters\.$/,
    advice: "Shorten it; what state has to carry belongs into the application's own session.",
  },
  {
    name: "parameter.in_address",
    said: /^The parameter \S+ belongs in the body, not in the address\.$/,
    advice:
      "Send it in the body. If it is a secret, take it for stolen: addresses are logged by others; get a new one.",
  },
  {
    name: "request.not_supported",
    said: "Request objects are not supported.",
    advice: "Send the parameters themselves, without request and request_uri.",
  },
  {
    name: "response_type.missing",
    said: "The parameter response_type is missing.",
    advice: "Send response_type=code.",
  },
  {
    name: "response_type.not_code",
    said: "The response type must be code.",
    advice: "Send response_type=code; tokens come from the token endpoint.",
  },
  {
    name: "response_mode.unknown",
    said: /^The response mode must be query/,
    advice: "Leave response_mode out, or send one of those that discovery lists.",
  },
  {
    name: "response_mode.not_for_redirect_uri",
    said: "The response mode form_post needs an http or https redirect URI.",
    advice: "Leave response_mode out: a browser cannot post a form to a private-use scheme.",
  },
  {
    name: "state.line_break",
    said: "With the response mode form_post a state must have no line breaks.",
    advice: "Send a state without line breaks; forms change them.",
  },
  { name: "scope.missing", said: "The parameter scope is missing.", advice: "Send scope, for example openid profile." },
  {
    name: "scope.unknown",
    said: "A requested scope is unknown.",
    advice: "Ask for scopes of openid, profile, email, offline_access, with one space between them.",
  },
  {
    name: "scope.not_registered",
    said: "The application is not registered for a requested scope.",
    advice: SCOPES_REGISTERED,
  },
  {
    name: "grant.not_registered",
    said: /^The application is not registered for the (authorization code grant|grant type \S+)\.$/,
    advice: "Have the application registered for it: gatehouse applications update --grant-type.",
  },
  { name: "code_challenge.missing", said: "This application must send a code_challenge (PKCE).", advice: PKCE },
  { name: "code_challenge_method.alone", said: "code_challenge_method stands without code_challenge.", advice: PKCE },
  { name: "code_challenge_method.not_s256", said: "code_challenge_method must be S256.", advice: PKCE },
  { name: "code_challenge.malformed", said: "code_challenge must be 43 characters of base64url.", advice: PKCE },
  {
    name: "prompt.unknown",
    said: "A value of prompt is unknown.",
    advice: "Send values of none, login, consent, select_account, or leave prompt out.",
  },
  {
    name: "prompt.none_with_others",
    said: "prompt=none stands with other values.",
    advice: "Send prompt=none alone.",
  },
  { name: "max_age.malformed", said: "max_age must be a number of seconds.", advice: "Send whole seconds, like 3600." },
  {
    name: "claims.malformed",
    said: "The parameter claims is not a JSON object of claims.",
    advice: "Send the claims parameter as OIDC Core §5.5 has it, percent-encoded once, or leave it out.",
  },
  {
    name: "session.missing",
    said: "The person is not signed in.",
    advice: "That is how prompt=none says it: send the person without prompt=none, so that they can sign in.",
  },
  {
    name: "session.other_person",
    said: "Another person signed in than the one that was asked for.",
    advice: "Ask again without id_token_hint, or have the right person sign in.",
  },
  {
    name: "session.nobody_asked_for",
    said: "Nobody can be the person that was asked for.",
    advice: "The claims parameter and id_token_hint ask for different people: send one of them.",
  },
  {
    name: "id_token_hint.unreadable",
    said: "The id_token_hint cannot be read.",
    advice: "Send an ID token of this issuer as it was received, or leave id_token_hint out.",
  },
  {
    name: "acr_values.not_offered",
    said: "None of the authentication contexts that were asked for is offered.",
    advice: "Ask for acr only as a voluntary claim, or for a value that discovery lists.",
  },
  {
    name: "consent.missing",
    said: "The person has not approved this access.",
    advice: "That is how prompt=none says it: send the person without prompt=none, so that they can be asked.",
  },
  {
    name: "consent.refused",
    said: "The person refused the access.",
    advice: "Nothing is wrong: the person said no. Offer to try again.",
  },
  {
    name: "membership.none",
    said: "The person has no access to this platform instance.",
    finding:
      "The person is disabled, or has neither a user nor a worker on the platform instance that the redirect URI belongs to.",
    advice: ASK_PLATFORM,
  },
];
