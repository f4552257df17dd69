import { AccountService } from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import { BrowserService } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { ExpiryService } from "#generated/proto/gatehouse/sign_on/v1/expiry.ts";
import { LogoutService } from "#generated/proto/gatehouse/sign_on/v1/logout.ts";
import { OperatorService } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { PasswordsService } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { PeopleService } from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { HealthCheck } from "#runtime/basis/lifecycle.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Loop } from "#runtime/basis/loop.ts";
import type { Metrics } from "#runtime/basis/metrics.ts";
import type { Random } from "#runtime/basis/random.ts";
import { createChanges } from "#runtime/changes/change.ts";
import type { Store } from "#runtime/database/database.ts";
import { type Carrier, type Registration, registration } from "#runtime/rpc/call.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { applicationChangeRepository } from "./applications/application-change-repository.ts";
import { disableApplication, enableApplication } from "./applications/application-disabling-service.ts";
import { applicationRepository } from "./applications/application-repository.ts";
import { endPreviousSecret, rotateApplicationSecret } from "./applications/application-secret-service.ts";
import { updateApplication } from "./applications/application-update-service.ts";
import { createApplication, getApplication, listApplications } from "./applications/applications-service.ts";
import { checkOrigin } from "./applications/origins-service.ts";
import { addRedirectUri, removeRedirectUri } from "./applications/redirect-uris-service.ts";
import { authorizationCodeRepository } from "./authorization-codes/authorization-code-repository.ts";
import { codeExpiryLoop } from "./authorization-codes/code-expiry-loop.ts";
import { expireCodes, listIssueMinutes } from "./authorization-codes/code-expiry-service.ts";
import { consentRepository } from "./consents/consent-repository.ts";
import { showAccount } from "./conversations/account/account-service.ts";
import { showAccountSignIn, signInToAccount } from "./conversations/account/account-sign-in-service.ts";
import { changeAccount } from "./conversations/account/change-account-service.ts";
import { changePassword, showPasswordChange } from "./conversations/account/change-password-service.ts";
import { authorize } from "./conversations/authorize/authorize-service.ts";
import { countRepeatedValues } from "./conversations/authorize/repeated-values.ts";
import { showConsent, submitConsent } from "./conversations/consent/consent-service.ts";
import { getJwks } from "./conversations/discovery/jwks-service.ts";
import { introspectToken } from "./conversations/introspection/introspection-service.ts";
import { showLogin, submitLogin } from "./conversations/login/login-service.ts";
import { logoutRequestRepository } from "./conversations/logout/logout-request-repository.ts";
import { beginLogout, showSignedOut, showSignOut, submitSignOut } from "./conversations/logout/logout-service.ts";
import { revokeToken } from "./conversations/revocation/revocation-service.ts";
import { showSetPassword, submitSetPassword } from "./conversations/set-password/set-password-service.ts";
import { exchangeToken } from "./conversations/token/token-service.ts";
import { getUserinfo } from "./conversations/userinfo/userinfo-service.ts";
import { composeCredentials } from "./credentials/credentials-composition.ts";
import { setPassword } from "./credentials/credentials-service.ts";
import { createPasswordLink } from "./credentials/password-links-service.ts";
import { composeInspection } from "./inspection/inspection-composition.ts";
import { interactionRepository } from "./interactions/interaction-repository.ts";
import { interactionService } from "./interactions/interaction-service.ts";
import { openInteractions } from "./interactions/open-interactions.ts";
import { faultTeller } from "./interactions/told-fault.ts";
import { refreshTokenRepository } from "./refresh-tokens/refresh-token-repository.ts";
import { tokenFamilyRepository } from "./refresh-tokens/token-family-repository.ts";
import { tokenMetrics } from "./refresh-tokens/token-metrics.ts";
import { sessionRepository } from "./sessions/session-repository.ts";
import { composeSessions } from "./sessions/sessions-composition.ts";
import { endSessions, listSessions } from "./sessions/sessions-service.ts";
import type { SignOnSettings } from "./settings.ts";
import { signInWithPassword } from "./sign-ins/password-sign-in-service.ts";
import { composeSignIns } from "./sign-ins/sign-ins-composition.ts";
import { composeSigningKeys } from "./signing-keys/signing-keys-composition.ts";
import { signOnSweepLoop } from "./sweep-loop.ts";
import type { SignOnTables } from "./tables.ts";

export { signOnMigrations } from "./migrations/index.ts";

export interface SignOnServicesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly metrics: Metrics;
  /** To workforce. */
  readonly connect: Carrier["connect"];
  /** The settled issuer. */
  readonly issuer: string;
  readonly development: boolean;
  readonly settings: SignOnSettings;
  /** Who sees to the end of unused codes: a loop of our own, or Temporal by way of the worker. */
  readonly expiry: "embedded" | "temporal";
}

/** Everything of sign-on that has a store: its gRPC methods, loops and checks. Makes the signing keys at the first start. */
export async function signOnServices(given: SignOnServicesDeps): Promise<{
  registrations: readonly Registration[];
  loops: readonly Loop[];
  checks: readonly HealthCheck[];
}> {
  const { clock, settings } = given;
  const db = given.store.view<SignOnTables>();
  const base = {
    ...given,
    db,
    changes: createChanges<SignOnTables>(given),
    workforce: given.connect(SignInService),
    applications: applicationRepository(db),
    codes: authorizationCodeRepository(db),
    consents: consentRepository(db),
    families: tokenFamilyRepository(db),
    refreshTokens: refreshTokenRepository(db),
    sessionRepository: sessionRepository(db),
  };
  const signingKeys = await composeSigningKeys(base);
  const sessions = composeSessions(base);
  const shared = {
    ...base,
    ...sessions,
    ...(await composeCredentials({ ...base, signOuts: sessions.signOuts })),
    ...composeSignIns(base),
    applicationChanges: applicationChangeRepository(),
    keys: signingKeys.keys,
    tellFault: faultTeller(given),
  };
  const deps = {
    ...shared,
    interactions: interactionService({
      ...shared,
      interactions: interactionRepository(db),
      unprovenLifetimeMs: settings["sign-in-unproven-minutes"] * 60_000,
      open: openInteractions(
        { perNetwork: settings["sign-ins-unproven-per-network"], inAll: settings["sign-ins-unproven"] },
        given.metrics,
      ),
    }),
    logouts: logoutRequestRepository(db),
  };
  const account = { ...deps, signIn: signInWithPassword(deps) };
  const counted = {
    ...deps,
    accessTokenAlgorithm: settings["access-token-algorithm"],
    metrics: tokenMetrics(given.metrics),
  };
  const inspection = composeInspection(deps);
  const { noting } = inspection;

  return {
    registrations: [
      noting(BrowserService, {
        authorize: authorize({ ...deps, repeatedValues: countRepeatedValues(given.metrics) }),
        showLogin: showLogin(deps),
        submitLogin: submitLogin(deps),
        showConsent: showConsent(deps),
        submitConsent: submitConsent(deps),
      }),
      noting(AccountService, {
        showAccount: showAccount(account),
        changeAccount: changeAccount(account),
        showAccountSignIn: showAccountSignIn(account),
        signInToAccount: signInToAccount(account),
        showPasswordChange: showPasswordChange(account),
        changePassword: changePassword(account),
      }),
      noting(LogoutService, {
        beginLogout: beginLogout(deps),
        showSignOut: showSignOut(deps),
        submitSignOut: submitSignOut(deps),
        showSignedOut: showSignedOut(deps),
      }),
      noting(TokensService, {
        exchangeToken: exchangeToken(counted),
        revokeToken: revokeToken(counted),
        introspectToken: introspectToken(deps),
        checkOrigin: checkOrigin(deps),
        getUserinfo: getUserinfo(deps),
        getJwks: getJwks({ keys: deps.keys, maxAgeSeconds: settings["jwks-max-age-seconds"] }),
      }),
      registration(ExpiryService, {
        listIssueMinutes: listIssueMinutes(deps),
        expireCodes: expireCodes(deps),
      }),
      signingKeys.operators,
      registration(OperatorService, {
        createApplication: createApplication(deps),
        listApplications: listApplications(deps),
        getApplication: getApplication(deps),
        updateApplication: updateApplication(deps),
        rotateApplicationSecret: rotateApplicationSecret(deps),
        endPreviousSecret: endPreviousSecret(deps),
        addRedirectUri: addRedirectUri(deps),
        removeRedirectUri: removeRedirectUri(deps),
        disableApplication: disableApplication(deps),
        enableApplication: enableApplication(deps),
        setPassword: setPassword(deps),
      }),
      noting(PasswordsService, {
        showSetPassword: showSetPassword(deps),
        submitSetPassword: submitSetPassword(deps),
      }),
      registration(PeopleService, {
        createPasswordLink: createPasswordLink(deps),
        listSessions: listSessions(deps),
        endSessions: endSessions(deps),
      }),
      ...inspection.registrations,
    ],
    loops: [
      signOnSweepLoop(db, clock),
      signingKeys.rotation,
      inspection.writing,
      ...(given.expiry === "embedded" ? [codeExpiryLoop(deps)] : []),
    ],
    checks: signingKeys.checks,
  };
}
