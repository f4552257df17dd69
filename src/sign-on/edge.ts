import contract from "#generated/contracts/sign-on.json" with { type: "json" };
import { AccountService } from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import { BrowserService } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { LogoutService } from "#generated/proto/gatehouse/sign_on/v1/logout.ts";
import { PasswordsService } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { RefusalsService } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import { type Area, area, type UnroutedCode, type UnroutedRequest } from "#runtime/http/operation.ts";
import { mayGetPage, VARY_BY_ACCEPT } from "#runtime/http/preferred-form.ts";
import { whyMalformed } from "#runtime/http/unrouted.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import { GRANT_TYPES } from "./applications/application.ts";
import { namedApplication } from "./applications/application-credentials-wire.ts";
import { createCookies } from "./browser/cookies.ts";
import { ANY_ORIGIN, forRegisteredOrigins, isRegistered } from "./browser/cross-origin.ts";
import { type AskedRequest, askedBy, authorizationOf } from "./browser/edge-call.ts";
import { noterAtEdge } from "./browser/edge-refusals.ts";
import { NO_STORE } from "./browser/oauth-error.ts";
import { pagesWith } from "./browser/page-language.ts";
import { unknownAddressPage } from "./browser/unknown-address.ts";
import { showAccountOperation, submitAccountOperation } from "./conversations/account/account-handler.ts";
import {
  showAccountSignInOperation,
  submitAccountSignInOperation,
} from "./conversations/account/account-sign-in-handler.ts";
import {
  findPasswordChangeOperation,
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
import {
  applicationOfToken,
  getUserinfoOperation,
  postUserinfoOperation,
  tokenOf,
} from "./conversations/userinfo/userinfo-handler.ts";
import type { Asked } from "./refusals/asked.ts";
import { toErrorWire } from "./refusals/error-wire.ts";
import { type Refused, refuse } from "./refusals/refused.ts";
import { LANGUAGE_TAGS } from "./texts/languages.ts";

interface SignOnEdgeDeps {
  readonly connect: Carrier["connect"];
  readonly issuer: string;
  readonly jwksMaxAgeSeconds: number;
  /** Whom people ask for help. */
  readonly supportContact?: string | undefined;
  readonly log: Log;
}

/** The operations of openapi/sign-on.yaml. */
export function signOnEdge({ connect, issuer, jwksMaxAgeSeconds, supportContact, log }: SignOnEdgeDeps): Area {
  const { note, stop } = noterAtEdge(log, connect(RefusalsService));
  const browser = connect(BrowserService);
  const tokens = connect(TokensService);
  const logout = connect(LogoutService);
  const passwords = connect(PasswordsService);
  const account = connect(AccountService);
  const oauth = { issuer, log };
  const paged = pagesWith({ cookies: createCookies(issuer), log, issuer, supportContact });
  const discovery = { issuer, grantTypes: GRANT_TYPES, languages: LANGUAGE_TAGS, maxAgeSeconds: jwksMaxAgeSeconds };
  const namedHere = (request: AskedRequest) => namedApplication(request.body, authorizationOf(request));
  const namedInToken = (request: AskedRequest) => applicationOfToken(tokenOf(request));
  return area<operations>({
    name: "sign-on",
    contract,
    owns: (path) => /^\/(auth|\.well-known)(\/|$)/.test(path),
    ended: stop,
    refused: (request, by) => note(request.requestId, request.operationId, by, askedBy(request)),
    unrouted(status, code, requestId, asked) {
      const refused = UNROUTED[code](asked);
      note(requestId, "unrouted", refused, NOTHING);
      const body = toErrorWire(refused.error, refused.sentence, { requestId, issuer });
      if (!mayGetPage(code, asked)) return { status, headers: NO_STORE, body };
      const page = unknownAddressPage(asked, { requestId, supportContact });
      return page ?? { status, headers: { ...NO_STORE, ...VARY_BY_ACCEPT }, body };
    },
    allowedOrigin: async (origin, cors, request) => {
      if (cors === "everyone") return ANY_ORIGIN["access-control-allow-origin"];
      return (await isRegistered(tokens, origin, request)) ? origin : undefined;
    },
    operations: {
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
      findPasswordChange: paged((own) => findPasswordChangeOperation(own)),
      showPasswordChange: paged((own) => showPasswordChangeOperation(account, own)),
      submitPasswordChange: paged((own) => submitPasswordChangeOperation(account, own)),
      logout: paged((own) => logoutOperation(logout, own)),
      submitLogout: paged((own) => submitLogoutOperation(logout, own)),
      showSignOut: paged((own) => showSignOutOperation(logout, own)),
      submitSignOut: paged((own) => submitSignOutOperation(logout, own)),
      showSignedOut: paged((own) => showSignedOutOperation(logout, own)),
      showSetPassword: paged((own) => showSetPasswordOperation(passwords, own)),
      submitSetPassword: paged((own) => submitSetPasswordOperation(passwords, own)),
      exchangeToken: forRegisteredOrigins(exchangeTokenOperation(tokens, oauth), tokens, namedHere),
      revokeToken: forRegisteredOrigins(revokeTokenOperation(tokens, oauth), tokens, namedHere),
      introspectToken: introspectTokenOperation(tokens, oauth),
      getUserinfo: forRegisteredOrigins(getUserinfoOperation(tokens, oauth), tokens, namedInToken),
      postUserinfo: forRegisteredOrigins(postUserinfoOperation(tokens, oauth), tokens, namedInToken),
      getOpenidConfiguration: getOpenidConfigurationOperation(discovery),
      getAuthorizationServerMetadata: getAuthorizationServerMetadataOperation(discovery),
      getJwks: getJwksOperation(tokens, oauth),
    },
  });
}

/** What RFC 6749 has no words for is invalid_request, with a sentence that says what (R-D7). */
const UNROUTED = {
  invalid_request: (asked) => refuse("request.unreadable", { problem: `request ${whyMalformed(asked)}` }),
  not_found: (asked) =>
    asked?.withoutSlash === undefined
      ? refuse("address.unknown")
      : refuse("address.slash", { path: asked.withoutSlash }),
  method_not_allowed: () => refuse("address.method"),
  request_timeout: () => refuse("request.unreadable", { problem: "request did not arrive in time" }),
  payload_too_large: () => refuse("request.unreadable", { problem: "body is too large" }),
  unsupported_media_type: () =>
    refuse("request.unreadable", { problem: "content type or the content coding is not offered here" }),
  headers_too_large: () => refuse("request.unreadable", { problem: "headers are too large" }),
  internal_error: () => refuse("service.failed"),
} as const satisfies Readonly<Record<UnroutedCode, (asked?: UnroutedRequest) => Refused>>;

/** Of a request that was not read. */
const NOTHING: Asked = { applicationId: undefined, parameters: [], redirectUri: undefined };
