import ts from "typescript";
import { AUTHORIZATION_CHECKS } from "../../../src/sign-on/refusals/authorization-checks.ts";
import {
  CHECKS,
  type CheckName,
  type ErrorCheckName,
  type PageCheckName,
  wordsOf,
} from "../../../src/sign-on/refusals/catalogue.ts";
import { PAGE_CHECKS } from "../../../src/sign-on/refusals/page-checks.ts";
import { TOKEN_CHECKS } from "../../../src/sign-on/refusals/token-checks.ts";
import { sourcesBelow } from "../../support/import-graph.ts";

/** What each check says on the wire: its error code and its sentence, with its placeholders. */
const SAID: Readonly<Record<ErrorCheckName, readonly [error: string, sentence: string]>> = {
  "application.unknown": ["invalid_client", "Authentication of the application failed."],
  "parameter.repeated": ["invalid_request", "The parameter {name} is repeated."],
  "parameter.too_long": ["invalid_request", "The parameter {name} is longer than {most} characters."],
  "parameter.in_address": ["invalid_request", "The parameter {name} belongs in the body, not in the address."],
  "request.not_supported": ["request_not_supported", "Request objects are not supported."],
  "request_uri.not_supported": ["request_uri_not_supported", "Request objects are not supported."],
  "registration.not_supported": ["registration_not_supported", "Registration with the request is not supported."],
  "response_type.missing": ["invalid_request", "The parameter response_type is missing."],
  "response_type.not_code": ["unsupported_response_type", "The response type must be code, not {type}."],
  "response_mode.unknown": ["invalid_request", "The response mode must be query or form_post, not {mode}."],
  "response_mode.not_for_redirect_uri": [
    "invalid_request",
    "The response mode form_post needs an http or https redirect URI.",
  ],
  "state.line_break": ["invalid_request", "With the response mode form_post a state must have no line breaks."],
  "scope.missing": ["invalid_request", "The parameter scope is missing."],
  "scope.spaces": ["invalid_scope", "The scopes must be separated by single spaces, with none before or after them."],
  "scope.unknown": ["invalid_scope", "Unknown scope: {scope}."],
  "scope.not_registered": ["invalid_scope", "The application is not registered for the scope {scope}."],
  "grant.not_registered": ["unauthorized_client", "The application is not registered for the {grant}."],
  "code_challenge.missing": ["invalid_request", "This application must send a code_challenge (PKCE)."],
  "code_challenge.malformed": ["invalid_request", "code_challenge must be 43 characters of base64url."],
  "code_challenge_method.alone": ["invalid_request", "code_challenge_method was sent without code_challenge."],
  "code_challenge_method.not_s256": ["invalid_request", "code_challenge_method must be S256; it is {sent}."],
  "prompt.unknown": ["invalid_request", "Unknown value of prompt: {value}."],
  "prompt.none_with_others": ["invalid_request", "prompt=none cannot be combined with other values."],
  "max_age.malformed": ["invalid_request", "max_age must be a number of seconds."],
  "claims.malformed": ["invalid_request", "The parameter claims is not a JSON object of claims."],
  "acr_values.not_offered": ["access_denied", "None of the requested authentication contexts is supported."],
  "id_token_hint.unreadable": ["login_required", "The id_token_hint cannot be read."],
  "session.missing": ["login_required", "The person is not signed in."],
  "session.other_person": ["login_required", "The signed-in person is not the one that the request names."],
  "session.nobody_asked_for": ["login_required", "No person matches the subject that the request names."],
  "membership.none": ["access_denied", "The person has no access to this platform instance."],
  "membership.disabled": ["access_denied", "The person has no access to this platform instance."],
  "consent.missing": ["consent_required", "The person has not approved this access."],
  "consent.refused": ["access_denied", "The person refused the access."],
  "application.secret_of_public": ["invalid_client", "Authentication of the application failed."],
  "application.secret_missing": ["invalid_client", "Authentication of the application failed."],
  "application.secret_wrong": ["invalid_client", "Authentication of the application failed."],
  "application.header_malformed": ["invalid_client", "Authentication of the application failed."],
  "application.public": ["invalid_client", "Authentication of the application failed."],
  "application.absent": ["invalid_client", "The application did not authenticate."],
  "application.authenticates_twice": [
    "invalid_request",
    "The application authenticates twice: in the header and in the body.",
  ],
  "client_id.differs": ["invalid_request", "client_id differs from the one in the Authorization header."],
  "authorization_header.repeated": ["invalid_request", "The Authorization header is repeated."],
  "parameter.missing": ["invalid_request", "The parameter {name} is missing."],
  "parameter.no_text": ["invalid_request", "Every parameter must be a text."],
  "body.media_type": ["invalid_request", "The content type must be {types}."],
  "body.malformed": ["invalid_request", "The body {problem}."],
  "grant_type.unknown": ["unsupported_grant_type", "The grant type must be {types}."],
  "code.unknown": ["invalid_grant", "The authorization code is unknown."],
  "code.already_used": ["invalid_grant", "The authorization code was already used."],
  "code.expired": ["invalid_grant", "The authorization code has expired."],
  "code.scope_not_registered": ["invalid_grant", "The application is no longer registered for the scope {scope}."],
  "code.redirect_uri_not_registered": [
    "invalid_grant",
    "The redirect URI of the authorization code is no longer registered.",
  ],
  "code.challenge_missing": [
    "invalid_grant",
    "This application must use PKCE by now, and the authorization request had no code_challenge.",
  ],
  "redirect_uri.differs": ["invalid_grant", "redirect_uri differs from the authorization request."],
  "code_verifier.unexpected": [
    "invalid_grant",
    "code_verifier was sent, but the authorization request had no code_challenge.",
  ],
  "code_verifier.missing": ["invalid_grant", "code_verifier is missing."],
  "code_verifier.malformed": ["invalid_request", "code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~."],
  "code_verifier.wrong": ["invalid_grant", "code_verifier does not match the code_challenge."],
  "membership.lost": [
    "invalid_grant",
    "The person has no access to this platform instance, or was disabled since signing in and must sign in again.",
  ],
  "refresh_token.unknown": ["invalid_grant", "The refresh token is unknown, expired or revoked."],
  "refresh_token.already_used": ["invalid_grant", "The refresh token was already used; sign in again."],
  "refresh_token.expired": ["invalid_grant", "The refresh token has expired."],
  "scope.exceeds_grant": ["invalid_scope", "The requested scope exceeds what was granted."],
  "scope.differs_in_repeat": ["invalid_grant", "A repeated refresh must ask for the same scope as the first."],
  "access_token.missing": ["invalid_token", "An access token is missing."],
  "access_token.twice": ["invalid_request", "The access token is sent twice, in the header and in the body."],
  "userinfo.malformed": ["invalid_request", "The request is malformed."],
  "access_token.invalid": ["invalid_token", "The access token is invalid or has expired."],
  "access_token.expired": ["invalid_token", "The access token is invalid or has expired."],
  "access_token.signature_wrong": ["invalid_token", "The access token is invalid or has expired."],
  "access_token.key_unknown": ["invalid_token", "The access token is invalid or has expired."],
  "access_token.claims_wrong": ["invalid_token", "The access token is invalid or has expired."],
  "access_token.membership_lost": ["invalid_token", "The access token is invalid or has expired."],
  "family.not_live": ["invalid_token", "The access token is invalid or has expired."],
  "scope.openid_missing": ["insufficient_scope", "The access token lacks the scope openid."],
  "address.unknown": ["invalid_request", "Nothing is offered at this address."],
  "address.slash": ["invalid_request", "Leave out the slash at the end: {path} is the address."],
  "address.method": ["invalid_request", "This address does not offer the method; see the allow header."],
  "request.unreadable": ["invalid_request", "The {problem}."],
  "request.malformed": ["invalid_request", "The request is malformed."],
  "request.precondition_failed": ["invalid_request", "The answer has none of the entity tags in If-Match."],
  "service.busy": ["temporarily_unavailable", "The service cannot answer at the moment."],
  "service.failed": ["server_error", "Something went wrong on our side."],
};

/** Of the checks that services refuse by with an error page: why the page is shown. */
const SHOWN: Readonly<Record<PageCheckName, string>> = {
  "client_id.missing": "ERROR_PAGE_REASON_UNKNOWN_APPLICATION",
  "client_id.repeated": "ERROR_PAGE_REASON_UNKNOWN_APPLICATION",
  "application.unknown": "ERROR_PAGE_REASON_UNKNOWN_APPLICATION",
  "redirect_uri.missing": "ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI",
  "redirect_uri.repeated": "ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI",
  "redirect_uri.not_registered": "ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI",
  "interaction.gone": "ERROR_PAGE_REASON_INTERACTION_GONE",
  "interaction.elsewhere": "ERROR_PAGE_REASON_INTERACTION_ELSEWHERE",
  "form.refused": "ERROR_PAGE_REASON_FORM_REFUSED",
};

const names = Object.keys(CHECKS) as CheckName[];

/** The functions that refuse; the first argument names the check. */
const REFUSING: ReadonlySet<string> = new Set(["refuse", "pageRefusal", "refusedByPage", "errorPageStep"]);

/** The checks that nothing in the sources refuses by. */
function unused(sources: ReadonlyMap<string, string>): readonly string[] {
  const used = new Set<string>();
  const collect = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) used.add(node.text);
    ts.forEachChild(node, collect);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && REFUSING.has(node.expression.text))
      for (const check of node.arguments.slice(0, 1)) collect(check);
    ts.forEachChild(node, visit);
  };
  for (const [file, text] of sources) visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return names.filter((name) => !used.has(name));
}

describe("the catalogue of refusals (R-X122)", () => {
  const sources = sourcesBelow("src/sign-on");

  it.each(names)("%s is subject.finding", (name) => {
    expect(name).toMatch(/^[a-z0-9_]+\.[a-z0-9_]+$/);
  });

  it("has each name in one of its tables", () => {
    const tables = [AUTHORIZATION_CHECKS, TOKEN_CHECKS, PAGE_CHECKS].flatMap((table) => Object.keys(table));
    expect(tables.toSorted()).toEqual([...new Set(tables)].toSorted());
    expect(tables.toSorted()).toEqual(names.toSorted());
  });

  it("has the error codes and sentences of the wire", () => {
    const said = Object.entries(CHECKS).flatMap(([name, check]) =>
      "sentence" in check ? [[name, [check.error, check.sentence]]] : [],
    );
    expect(Object.fromEntries(said)).toEqual(SAID);
  });

  it("has the reasons of the error pages", () => {
    const shown = Object.entries(CHECKS).flatMap(([name, check]) => ("page" in check ? [[name, check.page]] : []));
    expect(Object.fromEntries(shown)).toEqual(SHOWN);
  });

  it.each(Object.entries(SAID))("%s says what error_description may hold (RFC 6749 §5.2)", (_, [, sentence]) => {
    expect(sentence.replaceAll(/[{}]/g, "")).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,300}$/);
  });

  it.each(names)("%s is explained by a finding and advice", (name) => {
    const { finding, advice } = wordsOf(name, "As it was said.");
    expect([finding, advice]).toEqual([expect.stringMatching(/^[^{}<>]+\.$/), expect.stringMatching(/^[^{}<>]+\.$/)]);
  });

  it("explains a refused form as the account, a password link and a sign-in need it, all of which refuse by it", () => {
    const { finding, advice } = wordsOf("form.refused", "");
    expect(finding).toContain("cookie was not sent");
    expect(["application", "password link", "/auth/account", "Cookies"].filter((way) => !advice.includes(way))).toEqual(
      [],
    );
  });

  it("explains a refusal without a sentence by that of its check", () => {
    expect(wordsOf("parameter.missing", "").finding).toBe("The parameter … is missing.");
    expect(wordsOf("service.failed", "").finding).toBe("Something went wrong on our side.");
  });

  it("explains a refusal that an earlier version noted under another name (R-X122)", () => {
    expect(wordsOf("application.not_proven", "Authentication of the application failed.")).toEqual(
      wordsOf("application.header_malformed", "Authentication of the application failed."),
    );
    expect(wordsOf("application.not_proven", "").advice).toContain("rotate-secret");
  });

  it.each(["application.forgotten", "unnamed.registration_not_supported", "toString"])(
    "%s, a name of another version, is explained by what the answer said",
    (name) => {
      expect(wordsOf(name, "It was said so.")).toEqual({
        finding: "It was said so.",
        advice: expect.stringContaining("/docs"),
      });
    },
  );

  it("is found in the sources, each check", () => {
    expect(sources.size).toBeGreaterThan(150);
    expect(unused(sources)).toEqual([]);
  });

  it("does not count a check that is only mentioned", () => {
    const file = "src/sign-on/conversations/authorize/authorize-service.ts";
    const planted = (sources.get(file) ?? "").replace(
      'throw refuse("session.nobody_asked_for");',
      'throw new Error("session.nobody_asked_for");',
    );
    expect(unused(new Map([...sources, [file, planted]]))).toEqual(["session.nobody_asked_for"]);
  });
});
