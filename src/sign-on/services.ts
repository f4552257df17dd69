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
import { MINUTE_MS } from "#runtime/basis/durations.ts";
import { type ChangesDeps, createChanges } from "#runtime/changes/change.ts";
import { queuedChanges } from "#runtime/changes/queued-changes.ts";
import type { Eraser } from "#runtime/erasure/erasures.ts";
import { boundedLog } from "#runtime/process/bounded-log.ts";
import { lastUses, lastUsesLoop } from "#runtime/process/last-uses.ts";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Loop } from "#runtime/process/loop.ts";
import type { Metrics } from "#runtime/process/metrics.ts";
import { type Carrier, type Registration, registration } from "#runtime/rpc/call.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import { verifiedSignatures } from "./access-tokens/verified-signatures.ts";
import { applicationChangeRepository } from "./applications/application-change-repository.ts";
import {
  deleteApplication,
  disableApplication,
  enableApplication,
} from "./applications/application-disabling-service.ts";
import { applicationRepository } from "./applications/application-repository.ts";
import { endPreviousSecret, rotateApplicationSecret } from "./applications/application-secret-service.ts";
import { updateApplication } from "./applications/application-update-service.ts";
import {
  checkOrigin,
  createApplication,
  getApplication,
  listApplications,
} from "./applications/applications-service.ts";
import { addRedirectUri, removeRedirectUri } from "./applications/redirect-uris-service.ts";
import { authorizationCodeRepository } from "./authorization-codes/authorization-code-repository.ts";
import { codeExpiryRepository } from "./authorization-codes/code-expiry-repository.ts";
import { codeExpiryLoop, expireCodes, listIssueMinutes } from "./authorization-codes/code-expiry-service.ts";
import { consentRepository } from "./consents/consent-repository.ts";
import { showAccount } from "./conversations/account/account-service.ts";
import { showAccountSignIn, signInToAccount } from "./conversations/account/account-sign-in-service.ts";
import { changeAccount } from "./conversations/account/change-account-service.ts";
import { changePassword, showPasswordChange } from "./conversations/account/change-password-service.ts";
import { authorize } from "./conversations/authorize/authorize-service.ts";
import { countRepeatedValues } from "./conversations/authorize/repeated-values.ts";
import { showConsent, submitConsent } from "./conversations/consent/consent-service.ts";
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
import { lateTracesLoop } from "./erasure/late-traces-loop.ts";
import { personEraser } from "./erasure/person-eraser.ts";
import { composeInspection } from "./inspection/inspection-composition.ts";
import { interactionRepository } from "./interactions/interaction-repository.ts";
import { interactionService } from "./interactions/interaction-service.ts";
import { openInteractions } from "./interactions/open-interactions.ts";
import { faultReporter } from "./interactions/reported-fault.ts";
import { familyRevocationRepository } from "./refresh-tokens/family-revocation-repository.ts";
import { tokenMetrics } from "./refresh-tokens/token-families-service.ts";
import { tokenFamilyRepository } from "./refresh-tokens/token-family-repository.ts";
import { sessionRepository } from "./sessions/session-repository.ts";
import { composeSessions } from "./sessions/sessions-composition.ts";
import { endSessions, listSessions } from "./sessions/sessions-service.ts";
import type { SignOnSettings } from "./settings.ts";
import { signInWithPassword } from "./sign-ins/password-sign-in-service.ts";
import { composeSignIns } from "./sign-ins/sign-ins-composition.ts";
import { composeSigningKeys } from "./signing-keys/signing-keys-composition.ts";
import { getJwks } from "./signing-keys/signing-keys-service.ts";
import { signOnSweepLoop } from "./sweep-loop.ts";
import type { SignOnTables } from "./tables.ts";
import { waitingRoom } from "./throttling/waiting-room.ts";
import { earlierTokenRepository } from "./token-numbers/earlier-token-repository.ts";
import { familyNumbers } from "./token-numbers/family-number.ts";
import { numberedTokens } from "./token-numbers/numbered-tokens.ts";

export { signOnMigrations } from "./migrations/index.ts";
export { restoredRepository } from "./restored-repository.ts";
export { sealedPrivateKeys } from "./signing-keys/sealed-private-keys.ts";
export { signOnUpkeep } from "./upkeep.ts";

interface SignOnServicesDeps extends ChangesDeps {
  /** By which rows are removed for good, and signing keys move on. */
  readonly sweepClock: Clock;
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
  erasers: readonly Eraser[];
  /** Writes what calls have noted since the loops ended. To be called once no call comes any more. */
  writeNotes(): Promise<void>;
}> {
  const { store, clock, sweepClock, random, wake, sealer, log, metrics, connect, issuer, development, settings } =
    given;
  const db = store.view<SignOnTables>();
  const changes = createChanges<SignOnTables>({ store, clock, random, wake });
  // Of passwords: they count attempts of an address and of a network, and wait for each other there.
  const queued = queuedChanges(store, changes);
  const workforce = connect(SignInService);

  const applications = applicationRepository(db);
  const applicationChanges = applicationChangeRepository();
  const codes = authorizationCodeRepository(db);
  const codeExpiry = codeExpiryRepository(db);
  const consents = consentRepository(db);
  const signatures = verifiedSignatures();
  const numbered = numberedTokens(sealer, random);
  const earlier = earlierTokenRepository(db);
  const families = tokenFamilyRepository({ db, tokens: numbered, earlier });
  const revocations = familyRevocationRepository();
  const logouts = logoutRequestRepository(db);
  const sessionRecords = sessionRepository(db);

  const signingKeys = await composeSigningKeys({ db, changes, sealer, clock, sweepClock, wake, metrics, settings });
  const { keys } = signingKeys;
  const ofSessions = { sessionRepository: sessionRecords, codeExpiry, families, revocations, clock, random, settings };
  const { sessions, signOuts, limits } = composeSessions(ofSessions);
  const ofCredentials = { db, changes: queued, signOuts, random, log, metrics, settings };
  const { credentials, passwords, passwordChange, links } = await composeCredentials(ofCredentials);
  const { signInRecords, signIns, throttling, count } = composeSignIns({ db, sealer, clock, metrics, settings });
  const {
    registrations: inspection,
    writing,
    writeNotes,
    noting,
  } = composeInspection({
    db,
    auditLog: store.view(),
    log,
    signInRecords,
    keys,
    signatures,
    issuer,
    applications,
    changes,
    workforce,
    families,
    codes,
    tokens: numbered,
    earlier,
    clock,
    sweepClock,
    sessionRepository: sessionRecords,
    limits,
    credentials,
    throttling,
  });

  const reportFault = faultReporter({ issuer, log, metrics });
  const unproven = { perNetwork: settings["sign-ins-unproven-per-network"], inAll: settings["sign-ins-unproven"] };
  const interactions = interactionService({
    applications,
    sessions,
    consents,
    codes,
    workforce,
    reportFault,
    changes,
    issuer,
    clock,
    random,
    numbers: familyNumbers(random),
    tokens: numbered,
    sessionRepository: sessionRecords,
    interactions: interactionRepository(db),
    unprovenLifetimeMs: settings["sign-in-unproven-minutes"] * MINUTE_MS,
    open: openInteractions(unproven, metrics, clock),
  });

  // What the methods of one subject are given.
  const checked = { credentials, passwords, throttling, workforce, changes: queued, clock };
  const signIn = { ...checked, log, sessions, sessionRepository: sessionRecords, signOuts, signIns, count };
  const account = { sessions, sessionRepository: sessionRecords, workforce, changes, clock };
  const waiting = waitingRoom(unproven);
  const logout = { applications, logouts, waiting, sessions, signOuts, changes, keys, issuer, clock, random };
  const rarely = boundedLog(log, { linesMax: 1 });
  const previousSecretUses = lastUses(applications.recordPreviousSecretUses);
  const authenticating = { applications, clock, rarely, previousSecretUses };
  const tokens = { ...authenticating, families, revocations, tokens: numbered, earlier, keys, signatures, issuer };
  const registering = { applications, applicationChanges, workforce, changes, clock, random, development };
  const changing = { applicationChanges, changes, clock };
  const endingSessions = { ...account, signOuts, limits };
  const counters = tokenMetrics(metrics);

  return {
    registrations: [
      noting(BrowserService, {
        authorize: authorize({
          applications,
          sessions,
          interactions,
          reportFault,
          keys,
          issuer,
          repeatedValues: countRepeatedValues(metrics),
        }),
        showLogin: showLogin({ interactions, clock }),
        submitLogin: submitLogin({ ...signIn, interactions }),
        showConsent: showConsent({ interactions, workforce }),
        submitConsent: submitConsent({ interactions, workforce }),
      }),
      noting(AccountService, {
        showAccount: showAccount({ ...account, consents, families, signInRecords, applications }),
        changeAccount: changeAccount({ ...account, signOuts, consents, codeExpiry, revocations }),
        showAccountSignIn: showAccountSignIn({ sessions, workforce, random }),
        signInToAccount: signInToAccount({ ...account, signOuts, signIn: signInWithPassword(signIn) }),
        showPasswordChange: showPasswordChange({ ...account, ...checked, signIns, passwordChange }),
        changePassword: changePassword({ ...account, ...checked, signIns, passwordChange }),
      }),
      noting(LogoutService, {
        beginLogout: beginLogout(logout),
        showSignOut: showSignOut(logout),
        submitSignOut: submitSignOut(logout),
        showSignedOut: showSignedOut({ sessions, applications }),
      }),
      noting(TokensService, {
        exchangeToken: exchangeToken({
          ...tokens,
          codes,
          workforce,
          changes,
          random,
          metrics: counters,
          accessTokenAlgorithm: settings["access-token-algorithm"],
        }),
        revokeToken: revokeToken({ ...tokens, changes, metrics: counters }),
        introspectToken: introspectToken({ ...tokens, workforce }),
        checkOrigin: checkOrigin({ applications }),
        getUserinfo: getUserinfo({ applications, families, keys, signatures, issuer, workforce, clock }),
        getJwks: getJwks({ keys, maxAgeSeconds: settings["jwks-max-age-seconds"] }),
      }),
      registration(ExpiryService, {
        listIssueMinutes: listIssueMinutes({ codeExpiry, clock }),
        expireCodes: expireCodes({ codeExpiry, changes }),
      }),
      signingKeys.operators,
      registration(OperatorService, {
        getIssuer: async () => ({ issuer }),
        createApplication: createApplication(registering),
        listApplications: listApplications(registering),
        getApplication: getApplication(registering),
        updateApplication: updateApplication({ ...changing, applications, development }),
        rotateApplicationSecret: rotateApplicationSecret({ ...changing, random }),
        endPreviousSecret: endPreviousSecret(changing),
        addRedirectUri: addRedirectUri({ ...changing, applications, workforce, development }),
        removeRedirectUri: removeRedirectUri(changing),
        disableApplication: disableApplication({ ...changing, codeExpiry }),
        deleteApplication: deleteApplication({ ...changing, codeExpiry }),
        enableApplication: enableApplication({ ...changing, codeExpiry, revocations }),
        setPassword: setPassword({ passwordChange, workforce }),
      }),
      noting(PasswordsService, {
        showSetPassword: showSetPassword({ links, workforce, clock }),
        submitSetPassword: submitSetPassword({ links, passwordChange, sessions, throttling, workforce, clock }),
      }),
      registration(PeopleService, {
        createPasswordLink: createPasswordLink({ credentials, links, workforce, changes, issuer, random }),
        listSessions: listSessions(endingSessions),
        endSessions: endSessions(endingSessions),
      }),
      ...inspection,
    ],
    loops: [
      signOnSweepLoop(db, clock, sweepClock),
      lateTracesLoop({ db, changes, sessions: sessionRecords, signOuts, clock }),
      signingKeys.rotation,
      lastUsesLoop("previous-secret-uses", previousSecretUses),
      writing,
      ...(given.expiry === "embedded" ? [codeExpiryLoop({ codeExpiry, changes })] : []),
    ],
    checks: signingKeys.checks,
    erasers: [personEraser({ db, changes, sessions: sessionRecords, signOuts })],
    async writeNotes() {
      rarely.stop();
      await Promise.all([previousSecretUses.flush(), writeNotes()]);
    },
  };
}
