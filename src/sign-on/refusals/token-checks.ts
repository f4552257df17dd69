import type { Check } from "./check.ts";

const SIGN_IN_ANEW = "Send the person to /auth/authorize again.";
const PROVE =
  "Send the application's id and its secret as it was shown when it was made, by HTTP Basic or in the body, not both. A lost secret is replaced: gatehouse applications rotate-secret.";

/** Why the token, userinfo, revocation and introspection endpoints refuse (spec §7.2, §7.3; RFC 6749 §5.2; RFC 6750 §3.1). */
export const TOKEN_CHECKS: readonly Check[] = [
  {
    name: "application.unknown",
    detail: "unknown application",
    finding: "There is no application with this client_id, or it is disabled.",
    advice: "Send the client_id as the operator gave it, and to the environment that it is registered at.",
  },
  {
    name: "application.secret_of_public",
    detail: "a public application sent a secret",
    finding: "A public application has no secret, and sent one.",
    advice: "Configure the library for a public client: authentication method none, with PKCE.",
  },
  {
    name: "application.secret_missing",
    detail: "a confidential application sent no secret",
    finding: "A confidential application must prove itself, and sent no secret.",
    advice: PROVE,
  },
  {
    name: "application.secret_wrong",
    detail: "wrong secret",
    finding: "The secret is none of the application's, or one that has been replaced since.",
    advice: PROVE,
  },
  {
    name: "application.header_malformed",
    detail: "malformed Authorization header",
    finding: "The Authorization header is not HTTP Basic with form-encoded id and secret (RFC 6749 §2.3.1).",
    advice: PROVE,
  },
  {
    name: "application.not_proven",
    said: "Authentication of the application failed.",
    finding:
      "The application did not prove itself; often the Authorization header is not HTTP Basic with form-encoded id and secret (RFC 6749 §2.3.1).",
    advice: PROVE,
  },
  {
    name: "application.authenticates_twice",
    said: "The application authenticates twice: in the header and in the body.",
    advice: PROVE,
  },
  {
    name: "client_id.differs",
    said: "client_id differs from the one in the Authorization header.",
    advice: "Leave client_id out of the body.",
  },
  {
    name: "authorization_header.repeated",
    said: "The Authorization header stands more than once.",
    advice: "Send one Authorization header; a proxy may have added the other.",
  },
  {
    name: "parameter.missing",
    said: /^The parameter \S+ is missing\.$/,
    advice: "Send it; one without a value counts as missing.",
  },
  { name: "parameter.no_text", said: "Every parameter must be a text.", advice: "Send a flat object of strings." },
  {
    name: "body.media_type",
    said: /^The content type must be /,
    advice: "Say application/x-www-form-urlencoded or application/json in content-type, and send that.",
  },
  {
    name: "body.malformed",
    said: /^The body /,
    advice: "Send a form, or one flat JSON object of strings, with each name once.",
  },
  {
    name: "grant_type.unknown",
    said: /^The grant type must be /,
    advice: "Send grant_type=authorization_code or grant_type=refresh_token.",
  },
  {
    name: "code.unknown",
    said: "The authorization code is unknown.",
    finding: "No such authorization code was issued to this application, or so long ago that it is forgotten.",
    advice: "Send the code exactly as it came, decoded once, with the application that asked for it.",
  },
  {
    name: "code.already_used",
    said: "The authorization code was already used.",
    finding:
      "The authorization code was used before. All tokens that came from it are revoked, since somebody may have copied it.",
    advice: "Redeem a code once: no retry, no reload of the callback page, no second process with the same code.",
  },
  {
    name: "code.expired",
    said: "The authorization code has expired.",
    finding: "The code's time is over, or it ended early with a new password or with its application.",
    advice: "Redeem a code at once when it arrives.",
  },
  {
    name: "redirect_uri.differs",
    said: "redirect_uri differs from the authorization request.",
    advice: "Send the same redirect_uri as in the authorization request, byte for byte.",
  },
  {
    name: "code_verifier.unexpected",
    said: "code_verifier stands although no code_challenge was sent.",
    advice: "Send code_challenge with the authorization request; somebody may have taken it out on the way.",
  },
  {
    name: "code_verifier.missing",
    said: "code_verifier is missing.",
    advice: "Send the verifier that belongs to the code_challenge.",
  },
  {
    name: "code_verifier.malformed",
    said: /^code_verifier must be 43 to 128 characters/,
    advice: "Make verifiers of 43 to 128 of these characters.",
  },
  {
    name: "code_verifier.wrong",
    said: "code_verifier does not fit the code_challenge.",
    advice: "Keep the verifier of each authorization request with its state; two tabs must not share one.",
  },
  {
    name: "membership.lost",
    said: "The person no longer has access to this platform instance.",
    advice: "Nothing is wrong with the application. End its session of the person.",
  },
  {
    name: "refresh_token.unknown",
    said: "The refresh token is unknown, expired or revoked.",
    finding:
      "The refresh token is none of this application's, or ended: by its time, a sign-out, a new password, a replay, or with its application.",
    advice: `${SIGN_IN_ANEW} An operator can say more of it: gatehouse tokens explain.`,
  },
  {
    name: "refresh_token.already_used",
    said: /^The refresh token was already used/,
    finding: "The refresh token was replaced before. Its whole family is revoked, since somebody may have copied it.",
    advice: `${SIGN_IN_ANEW} Store the new refresh token of each answer before it is used, and refresh in one place at a time.`,
  },
  { name: "refresh_token.expired", said: "The refresh token has expired.", advice: SIGN_IN_ANEW },
  {
    name: "scope.exceeds_grant",
    said: "The requested scope exceeds what was granted.",
    advice: `Ask for fewer, or none at all to get what was granted. For more: ${SIGN_IN_ANEW}`,
  },
  {
    name: "scope.differs_in_repeat",
    said: "A repeated refresh must ask for the same scope as the first.",
    advice: "Repeat a refresh as it was sent the first time.",
  },
  {
    name: "access_token.missing",
    said: "An access token is missing.",
    advice: "Send one header: Authorization: Bearer, a space, the access token.",
  },
  {
    name: "scope.openid_missing",
    said: "The access token lacks the scope openid.",
    advice: "Ask for the scope openid when people sign in.",
  },
  {
    name: "family.not_live",
    detail: "the family is revoked, expired or unknown",
    finding:
      "What the access token was issued from has ended: by a sign-out, a new password, a replay, its time, or with its application.",
    advice: `${SIGN_IN_ANEW} An operator can say more of it: gatehouse tokens explain.`,
  },
  {
    name: "family.not_live",
    detail: "the token is revoked, or its family is revoked, expired or unknown",
    finding: "The access token was revoked, or what it was issued from has ended.",
    advice: `${SIGN_IN_ANEW} An operator can say more of it: gatehouse tokens explain.`,
  },
  {
    name: "access_token.twice",
    said: "The access token stands in the header and in the body.",
    advice: "Send it in one of the two places.",
  },
  {
    name: "access_token.expired",
    detail: "ERR_JWT_EXPIRED",
    finding: "The access token has expired.",
    advice: "Refresh when expires_in is over, or a little before.",
  },
  {
    name: "access_token.signature_wrong",
    detail: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
    finding: "The access token's signature is wrong: it was changed, or cut.",
    advice: "Send the access token as it was received.",
  },
  {
    name: "access_token.key_unknown",
    detail: "unknown key",
    finding:
      "The access token was signed by a key that is not, or no longer, this server's; an ID token is none either.",
    advice: "Send the access_token of the token answer, to the environment that issued it.",
  },
  {
    name: "access_token.claims_wrong",
    detail: "ERR_JWT_CLAIM_VALIDATION_FAILED",
    finding: "The token is not an access token of this issuer: its type, issuer, audience or times are others.",
    advice: "Send the access_token of the token answer (not the ID token), to the environment that issued it.",
  },
  {
    name: "membership.lost",
    detail: "membership lost or person disabled",
    finding: "The person no longer has access to the platform instance, or is disabled.",
    advice: "Nothing is wrong with the application. End its session of the person.",
  },
  {
    name: "access_token.invalid",
    said: "The access token is invalid or has expired.",
    finding: "What was sent is no access token of ours.",
    advice:
      "Send the access_token of the token answer as it was received. An operator can say more of it: gatehouse tokens explain.",
  },
  {
    name: "request.malformed",
    said: "The request is malformed.",
    advice: "Look at the contract of this operation: /docs.",
  },
];
