import type { Check } from "./check.ts";

const SIGN_IN_ANEW = "Send the person to /auth/authorize again.";
const PROVE =
  "Send the application's id and its secret as it was shown when it was made, by HTTP Basic or in the body, not both. A lost secret is replaced: gatehouse applications rotate-secret.";
const END_OF_SESSION = `Nothing is wrong with the application. End its session of the person. A person who was disabled and enabled again can go on: ${SIGN_IN_ANEW}`;
const ASK_OPERATOR = "An operator can say more of it: gatehouse tokens explain.";

/** One answer for every kind of failed authentication of an application (S29); `application.unknown` is an authorization check too. */
const NOT_PROVEN = { error: "invalid_client", sentence: "Authentication of the application failed." } as const;
/** One answer for every kind of bad access token (RFC 6750 §3.1). */
const BAD_TOKEN = { error: "invalid_token", sentence: "The access token is invalid or has expired." } as const;

/** Why the token, userinfo, revocation and introspection endpoints refuse (spec §7.2, §7.3; RFC 6749 §5.2; RFC 6750 §3.1). */
export const TOKEN_CHECKS = {
  "application.secret_of_public": {
    ...NOT_PROVEN,
    detail: "a public application sent a secret",
    finding: "A public application has no secret, and sent one.",
    advice: "Configure the library for a public client: authentication method none, with PKCE.",
  },
  "application.secret_missing": {
    ...NOT_PROVEN,
    detail: "a confidential application sent no secret",
    finding: "A confidential application must prove itself, and sent no secret.",
    advice: PROVE,
  },
  "application.secret_wrong": {
    ...NOT_PROVEN,
    detail: "wrong secret",
    finding: "The client secret is wrong or has been replaced.",
    advice: PROVE,
  },
  "application.header_malformed": {
    ...NOT_PROVEN,
    detail: "malformed Authorization header",
    finding: "The Authorization header is not HTTP Basic with form-encoded id and secret (RFC 6749 §2.3.1).",
    advice: PROVE,
  },
  "application.public": {
    ...NOT_PROVEN,
    detail: "a public application asked for introspection",
    finding: "Introspection is for applications that prove themselves by a secret, and this one is public.",
    advice: "Ask with an application that has a secret.",
  },
  "application.absent": {
    error: "invalid_client",
    sentence: "The application did not authenticate.",
    finding: "Introspection was asked without an Authorization header and without client_id.",
    advice: PROVE,
  },
  "application.authenticates_twice": {
    error: "invalid_request",
    sentence: "The application authenticates twice: in the header and in the body.",
    advice: PROVE,
  },
  "client_id.differs": {
    error: "invalid_request",
    sentence: "client_id differs from the one in the Authorization header.",
    advice: "Leave client_id out of the body.",
  },
  "authorization_header.repeated": {
    error: "invalid_request",
    sentence: "The Authorization header is repeated.",
    advice: "Send one Authorization header; a proxy may have added the other.",
  },
  "parameter.missing": {
    error: "invalid_request",
    sentence: "The parameter {name} is missing.",
    advice: "Send it; one without a value counts as missing.",
  },
  "parameter.no_text": {
    error: "invalid_request",
    sentence: "Every parameter must be a text.",
    advice: "Send a flat object of strings.",
  },
  "body.media_type": {
    error: "invalid_request",
    sentence: "The content type must be {types}.",
    advice: "Set content-type to application/x-www-form-urlencoded or application/json, and send a body of that type.",
  },
  "body.malformed": {
    error: "invalid_request",
    sentence: "The body {problem}.",
    advice: "Send a form, or one flat JSON object of strings, with each name once.",
  },
  "grant_type.unknown": {
    error: "unsupported_grant_type",
    sentence: "The grant type must be {types}.",
    advice: "Send grant_type=authorization_code or grant_type=refresh_token.",
  },
  "code.unknown": {
    error: "invalid_grant",
    sentence: "The authorization code is unknown.",
    finding: "This application has no such authorization code, or the code expired so long ago that it was deleted.",
    advice: "Send the code exactly as it came, decoded once, with the application that asked for it.",
  },
  "code.already_used": {
    error: "invalid_grant",
    sentence: "The authorization code was already used.",
    detail: "authorization code replayed: everything issued from it is revoked",
    finding:
      "The authorization code was used before. All tokens that came from it are revoked, since it may have been copied.",
    advice: "Redeem a code once: no retry, no reload of the callback page, no second process with the same code.",
  },
  "code.expired": {
    error: "invalid_grant",
    sentence: "The authorization code has expired.",
    finding:
      "The code has expired, or has been ended: by a sign-out, a new password, a withdrawn access, or the disabling of its application.",
    advice: "Redeem a code at once when it arrives.",
  },
  "code.scope_not_registered": {
    error: "invalid_grant",
    sentence: "The application is no longer registered for the scope {scope}.",
    finding: "Since the code was issued, the application's registration has lost a scope that the code is for.",
    advice: `Have the application registered for it again: gatehouse applications update --scope. Then: ${SIGN_IN_ANEW}`,
  },
  "code.redirect_uri_not_registered": {
    error: "invalid_grant",
    sentence: "The redirect URI of the authorization code is no longer registered.",
    finding:
      "Since the code was issued, its redirect URI was removed from the application's registration, or registered for another instance.",
    advice: `Use one that is registered, or have this one registered again: gatehouse applications redirect-uris add. Then: ${SIGN_IN_ANEW}`,
  },
  "code.challenge_missing": {
    error: "invalid_grant",
    sentence: "This application must use PKCE by now, and the authorization request had no code_challenge.",
    advice: `Send code_challenge with the authorization request and code_verifier here. Then: ${SIGN_IN_ANEW}`,
  },
  "redirect_uri.differs": {
    error: "invalid_grant",
    sentence: "redirect_uri differs from the authorization request.",
    advice: "Send the same redirect_uri as in the authorization request, byte for byte.",
  },
  "code_verifier.unexpected": {
    error: "invalid_grant",
    sentence: "code_verifier was sent, but the authorization request had no code_challenge.",
    advice: "Send code_challenge with the authorization request; it may have been removed on the way.",
  },
  "code_verifier.missing": {
    error: "invalid_grant",
    sentence: "code_verifier is missing.",
    advice: "Send the verifier that belongs to the code_challenge.",
  },
  "code_verifier.malformed": {
    error: "invalid_request",
    sentence: "code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~.",
    advice: "Make verifiers of 43 to 128 of these characters.",
  },
  "code_verifier.wrong": {
    error: "invalid_grant",
    sentence: "code_verifier does not match the code_challenge.",
    advice: "Keep the verifier of each authorization request with its state; two tabs must not share one.",
  },
  "membership.lost": {
    error: "invalid_grant",
    sentence:
      "The person has no access to this platform instance, or was disabled since signing in and must sign in again.",
    advice: END_OF_SESSION,
  },
  "refresh_token.unknown": {
    error: "invalid_grant",
    sentence: "The refresh token is unknown, expired or revoked.",
    finding:
      "The refresh token belongs to another application, or has ended: by its time, a sign-out, a new password, a withdrawn access, a revocation, a replay, or with its application.",
    advice: `${SIGN_IN_ANEW} ${ASK_OPERATOR}`,
  },
  "refresh_token.already_used": {
    error: "invalid_grant",
    sentence: "The refresh token was already used; sign in again.",
    detail: "refresh token reused: its family is revoked",
    finding:
      "The refresh token was replaced before, and it came again after the application's repeat window (30 seconds, unless the operator set another) or after its successor was used. Its whole family is revoked, since it may have been copied.",
    advice: `${SIGN_IN_ANEW} Store the new refresh token of each answer before it is used, and refresh in one place at a time.`,
  },
  "refresh_token.expired": {
    error: "invalid_grant",
    sentence: "The refresh token has expired.",
    advice: SIGN_IN_ANEW,
  },
  "scope.exceeds_grant": {
    error: "invalid_scope",
    sentence: "The requested scope exceeds what was granted.",
    advice: `Ask for fewer, or none at all to get what was granted. For more: ${SIGN_IN_ANEW}`,
  },
  "scope.differs_in_repeat": {
    error: "invalid_grant",
    sentence: "A repeated refresh must ask for the same scope as the first.",
    advice: "Repeat a refresh as it was sent the first time.",
  },
  "access_token.missing": {
    error: "invalid_token",
    sentence: "An access token is missing.",
    advice: "Send one header: Authorization: Bearer, a space, the access token.",
  },
  "access_token.twice": {
    error: "invalid_request",
    sentence: "The access token is sent twice, in the header and in the body.",
    advice: "Send it in one of the two places.",
  },
  "userinfo.malformed": {
    error: "invalid_request",
    sentence: "The request is malformed.",
    finding: "Userinfo was asked by GET with a body, or at an address that cannot be read.",
    advice: "Send the access token in the Authorization header, and by GET no body.",
  },
  "access_token.invalid": {
    ...BAD_TOKEN,
    detail: "{reason}",
    finding: "The token is not an access token of this issuer.",
    advice: `Send the access_token of the token answer as it was received. ${ASK_OPERATOR}`,
  },
  "access_token.expired": {
    ...BAD_TOKEN,
    detail: "ERR_JWT_EXPIRED",
    finding: "The access token has expired.",
    advice: "Refresh when expires_in has passed, or slightly earlier.",
  },
  "access_token.signature_wrong": {
    ...BAD_TOKEN,
    detail: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
    finding: "The access token's signature is wrong: it was changed, or cut.",
    advice: "Send the access token as it was received.",
  },
  "access_token.key_unknown": {
    ...BAD_TOKEN,
    detail: "unknown key",
    finding: "The key that signed the access token is not, or no longer, this server's; or the token is an ID token.",
    advice: "Send the access_token of the token answer, to the environment that issued it.",
  },
  "access_token.claims_wrong": {
    ...BAD_TOKEN,
    detail: "ERR_JWT_CLAIM_VALIDATION_FAILED",
    finding: "The token is not an access token of this issuer: its type, issuer, audience or times are others.",
    advice: "Send the access_token of the token answer (not the ID token), to the environment that issued it.",
  },
  "access_token.membership_lost": {
    ...BAD_TOKEN,
    detail: "membership lost or person disabled",
    finding: "The person has no access to the platform instance, or was disabled since signing in.",
    advice: END_OF_SESSION,
  },
  "family.not_live": {
    ...BAD_TOKEN,
    detail: "the token is revoked, or its family is revoked, expired or unknown",
    finding: "The access token was revoked, or what it was issued from has ended.",
    advice: `${SIGN_IN_ANEW} ${ASK_OPERATOR}`,
  },
  "scope.openid_missing": {
    error: "insufficient_scope",
    sentence: "The access token lacks the scope openid.",
    advice: "Ask for the scope openid when people sign in.",
  },
} as const satisfies Readonly<Record<string, Check>>;
