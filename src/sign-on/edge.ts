import contract from "#generated/contracts/sign-on.json" with { type: "json" };
import { AccountService } from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import { BrowserService } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { LogoutService } from "#generated/proto/gatehouse/sign_on/v1/logout.ts";
import { PasswordsService } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { RefusalsService } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Log } from "#runtime/basis/log.ts";
import { type Area, area, type UnroutedCode } from "#runtime/http/operation.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import { namedApplication } from "./applications/application-credentials-wire.ts";
import { authorizationOf } from "./browser/application-request.ts";
import { createCookies } from "./browser/cookies.ts";
import { ANY_ORIGIN, type AskedRequest, forRegisteredOrigins, isRegistered } from "./browser/cross-origin.ts";
import { NO_STORE, oauthErrorBody } from "./browser/oauth-error.ts";
import { pagesWith } from "./browser/page-language.ts";
import { refusedAtEdge } from "./browser/refused-at-edge.ts";
import { showAccountOperation, submitAccountOperation } from "./conversations/account/account-handler.ts";
import {
  showAccountSignInOperation,
  submitAccountSignInOperation,
} from "./conversations/account/account-sign-in-handler.ts";
import {
  showPasswordChangeOperation,
  submitPasswordChangeOperation,
} from "./conversations/account/change-password-handler.ts";
import { authorizeByPostOperation, authorizeOperation } from "./conversations/authorize/authorize-handler.ts";
import { showConsentOperation, submitConsentOperation } from "./conversations/consent/consent-handler.ts";
import {
  getAuthorizationServerMetadataOperation,
  getJwksOperation,
  getOpenidConfigurationOperation,
} from "./conversations/discovery/discovery-handler.ts";
import { introspectTokenOperation } from "./conversations/introspection/introspection-handler.ts";
import { showLoginOperation, submitLoginOperation } from "./conversations/login/login-handler.ts";
import {
  logoutOperation,
  showSignedOutOperation,
  showSignOutOperation,
  submitLogoutOperation,
  submitSignOutOperation,
} from "./conversations/logout/logout-handler.ts";
import { revokeTokenOperation } from "./conversations/revocation/revocation-handler.ts";
import {
  showSetPasswordOperation,
  submitSetPasswordOperation,
} from "./conversations/set-password/set-password-handler.ts";
import { exchangeTokenOperation } from "./conversations/token/token-handler.ts";
import { GRANT_TYPES } from "./conversations/token/token-wire.ts";
import { getUserinfoOperation, postUserinfoOperation, tokenOf } from "./conversations/userinfo/userinfo-handler.ts";
import { namedApplication as namedByToken } from "./conversations/userinfo/userinfo-wire.ts";
import { LANGUAGE_TAGS } from "./texts/languages.ts";

export interface SignOnEdgeDeps {
  readonly connect: Carrier["connect"];
  readonly issuer: string;
  readonly jwksMaxAgeSeconds: number;
  readonly log: Log;
}

/** The operations of openapi/sign-on.yaml. */
export function signOnEdge({ connect, issuer, jwksMaxAgeSeconds, log }: SignOnEdgeDeps): Area {
  const refused = refusedAtEdge({ connect, log }, connect(RefusalsService));
  // Asked about the origin, services note nothing: what the edge refuses besides is its own to note.
  const origins = connect(TokensService);
  const browser = refused.connect(BrowserService);
  const tokens = refused.connect(TokensService);
  const logout = refused.connect(LogoutService);
  const passwords = refused.connect(PasswordsService);
  const account = refused.connect(AccountService);
  const paged = pagesWith({ cookies: createCookies(issuer), log, issuer });
  const discovery = { issuer, grantTypes: GRANT_TYPES, languages: LANGUAGE_TAGS, maxAgeSeconds: jwksMaxAgeSeconds };
  const namedHere = (request: AskedRequest) => namedApplication(request.body, authorizationOf(request));
  const namedInToken = (request: AskedRequest) => namedByToken(tokenOf(request));
  return area<operations>({
    name: "sign-on",
    contract,
    owns: (path) => path === "/auth" || path.startsWith("/auth/") || path.startsWith("/.well-known/"),
    unrouted(status, code, requestId) {
      refused.unrouted(code, requestId);
      return unrouted(status, code);
    },
    allowedOrigin: async (origin, cors, request) => {
      if (cors === "everyone") return ANY_ORIGIN["access-control-allow-origin"];
      return (await isRegistered(origins, origin, request)) ? origin : undefined;
    },
    operations: refused.watch({
      authorize: paged((own) => authorizeOperation(browser, own)),
      authorizeByPost: paged((own) => authorizeByPostOperation(browser, own)),
      showLogin: paged((own) => showLoginOperation(browser, own)),
      submitLogin: paged((own) => submitLoginOperation(browser, own)),
      showConsent: paged((own) => showConsentOperation(browser, own)),
      submitConsent: paged((own) => submitConsentOperation(browser, own)),
      showAccount: paged((own) => showAccountOperation(account, own)),
      submitAccount: paged((own) => submitAccountOperation(account, own)),
      showAccountSignIn: paged((own) => showAccountSignInOperation(account, own)),
      submitAccountSignIn: paged((own) => submitAccountSignInOperation(account, own)),
      showPasswordChange: paged((own) => showPasswordChangeOperation(account, own)),
      submitPasswordChange: paged((own) => submitPasswordChangeOperation(account, own)),
      logout: paged((own) => logoutOperation(logout, own)),
      submitLogout: paged((own) => submitLogoutOperation(logout, own)),
      showSignOut: paged((own) => showSignOutOperation(logout, own)),
      submitSignOut: paged((own) => submitSignOutOperation(logout, own)),
      showSignedOut: paged((own) => showSignedOutOperation(logout, own)),
      showSetPassword: paged((own) => showSetPasswordOperation(passwords, own)),
      submitSetPassword: paged((own) => submitSetPasswordOperation(passwords, own)),
      exchangeToken: forRegisteredOrigins(exchangeTokenOperation(tokens, log), origins, namedHere),
      revokeToken: forRegisteredOrigins(revokeTokenOperation(tokens, log), origins, namedHere),
      introspectToken: introspectTokenOperation(tokens, log),
      getUserinfo: forRegisteredOrigins(getUserinfoOperation(tokens, log), origins, namedInToken),
      postUserinfo: forRegisteredOrigins(postUserinfoOperation(tokens, log), origins, namedInToken),
      getOpenidConfiguration: getOpenidConfigurationOperation(discovery),
      getAuthorizationServerMetadata: getAuthorizationServerMetadataOperation(discovery),
      getJwks: getJwksOperation(tokens, log),
    }),
  });
}

/** What RFC 6749 has no words for is invalid_request, with a sentence that says what (R-D7). */
const UNROUTED: Readonly<Record<UnroutedCode, string>> = {
  invalid_request: "The request is malformed.",
  not_found: "Nothing is offered at this address.",
  method_not_allowed: "This address does not offer the method; see the allow header.",
  request_timeout: "The request did not arrive in time.",
  payload_too_large: "The body is too large.",
  unsupported_media_type: "The content type or the content coding is not offered here.",
  headers_too_large: "The headers are too large.",
  internal_error: "Something went wrong on our side.",
};

const unrouted = (status: number, code: UnroutedCode) => ({
  status,
  headers: NO_STORE,
  body: oauthErrorBody(code === "internal_error" ? "server_error" : "invalid_request", UNROUTED[code]),
});
