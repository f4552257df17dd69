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
import { StartRefused } from "#runtime/basis/errors.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Loop } from "#runtime/basis/loop.ts";
import type { Metrics } from "#runtime/basis/metrics.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Values } from "#runtime/basis/settings.ts";
import { createChanges } from "#runtime/changes/change.ts";
import type { Store } from "#runtime/database/database.ts";
import type { MigrationSet } from "#runtime/database/migrations.ts";
import { type Carrier, type Registration, registration } from "#runtime/rpc/call.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { applicationRepository } from "./applications/application-repository.ts";
import { createApplication, listApplications } from "./applications/applications-service.ts";
import { authorizationCodeRepository } from "./authorization-codes/authorization-code-repository.ts";
import { codeExpiryLoop } from "./authorization-codes/code-expiry-loop.ts";
import { expireCodes, listIssueMinutes } from "./authorization-codes/code-expiry-service.ts";
import { consentRepository } from "./consents/consent-repository.ts";
import { showAccount } from "./conversations/account/account-service.ts";
import { showAccountSignIn, signInToAccount } from "./conversations/account/account-sign-in-service.ts";
import { changeAccount } from "./conversations/account/change-account-service.ts";
import { changePassword, showPasswordChange } from "./conversations/account/change-password-service.ts";
import { authorize } from "./conversations/authorize/authorize-service.ts";
import { showConsent, submitConsent } from "./conversations/consent/consent-service.ts";
import { getJwks } from "./conversations/discovery/jwks-service.ts";
import { showLogin, submitLogin } from "./conversations/login/login-service.ts";
import { signInWithPassword } from "./conversations/login/password-sign-in-service.ts";
import { logoutRequestRepository } from "./conversations/logout/logout-request-repository.ts";
import { beginLogout, showSignedOut, showSignOut, submitSignOut } from "./conversations/logout/logout-service.ts";
import { showSetPassword, submitSetPassword } from "./conversations/set-password/set-password-service.ts";
import { exchangeToken } from "./conversations/token/token-service.ts";
import { getUserinfo } from "./conversations/userinfo/userinfo-service.ts";
import { credentialRepository } from "./credentials/credential-repository.ts";
import { setPassword } from "./credentials/credentials-service.ts";
import { hashingMetrics } from "./credentials/hashing-metrics.ts";
import { createHashingQueue, type HashingQueue } from "./credentials/hashing-queue.ts";
import { createPasswordChange } from "./credentials/password-change-service.ts";
import { passwordLinkRepository } from "./credentials/password-link-repository.ts";
import { createPasswordLink } from "./credentials/password-links-service.ts";
import { createPasswords } from "./credentials/passwords.ts";
import { interactionRepository } from "./interactions/interaction-repository.ts";
import { interactionService } from "./interactions/interaction-service.ts";
import { firstTables } from "./migrations/0001-first-tables.ts";
import { codeExpiry } from "./migrations/0002-code-expiry.ts";
import { applicationsWhole } from "./migrations/0003-applications-whole.ts";
import { signIns } from "./migrations/0005-sign-ins.ts";
import { passwordLinks } from "./migrations/0006-password-links.ts";
import { signingOut } from "./migrations/0009-signing-out.ts";
import { refreshTokenRepository } from "./refresh-tokens/refresh-token-repository.ts";
import { tokenFamilyRepository } from "./refresh-tokens/token-family-repository.ts";
import { sessionRepository } from "./sessions/session-repository.ts";
import { createSessions } from "./sessions/sessions.ts";
import { endSessions, listSessions } from "./sessions/sessions-service.ts";
import type { signOnSettings } from "./settings.ts";
import { signInCounter } from "./sign-ins/sign-in-metrics.ts";
import { signInRepository } from "./sign-ins/sign-in-repository.ts";
import { createSignIns } from "./sign-ins/sign-ins-service.ts";
import { createSignOuts } from "./sign-outs/sign-out-service.ts";
import { makeMissingSigningKeys } from "./signing-keys/new-signing-keys-service.ts";
import { signingKeyRepository } from "./signing-keys/signing-key-repository.ts";
import type { SigningKeys } from "./signing-keys/signing-keys.ts";
import { createSigningKeys } from "./signing-keys/signing-keys-service.ts";
import { signOnSweepLoop } from "./sweep-loop.ts";
import type { SignOnTables } from "./tables.ts";
import { throttlePlans } from "./throttling/throttle-plans.ts";
import { throttleRepository } from "./throttling/throttle-repository.ts";
import { createThrottling } from "./throttling/throttling-service.ts";

export const signOnMigrations: MigrationSet = {
  owner: "sign-on",
  migrations: [firstTables, codeExpiry, applicationsWhole, signIns, passwordLinks, signingOut],
};

export interface SignOnServicesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
  readonly sealer: Sealer;
  readonly metrics: Metrics;
  readonly log: Log;
  /** To workforce. */
  readonly connect: Carrier["connect"];
  /** The settled issuer. */
  readonly issuer: string;
  readonly development: boolean;
  readonly settings: Values<typeof signOnSettings>;
  /** Who sees to the end of unused codes: a loop of our own, or Temporal by way of the worker. */
  readonly expiry: "embedded" | "temporal";
}

/** Everything of sign-on that has a store: its gRPC methods and its loop. Makes the signing keys at the first start. */
export async function signOnServices(
  deps: SignOnServicesDeps,
): Promise<{ registrations: readonly Registration[]; loops: readonly Loop[] }> {
  const { store, clock, random, sealer, settings, issuer, development } = deps;
  const db = store.view<SignOnTables>();
  const changes = createChanges<SignOnTables>(deps);
  const workforce = deps.connect(SignInService);

  const applications = applicationRepository(db);
  const codes = authorizationCodeRepository(db);
  const consents = consentRepository(db);
  const credentials = credentialRepository(db);
  const families = tokenFamilyRepository(db);
  const refreshTokens = refreshTokenRepository(db);
  const sessionStore = sessionRepository(db);
  const signingKeys = signingKeyRepository(db);

  await makeMissingSigningKeys({ repository: signingKeys, changes, sealer });
  const keys = createSigningKeys(signingKeys, sealer, clock);
  await assertKeysOpen(keys);
  const queue: HashingQueue = createHashingQueue({
    concurrency: settings["password-hash-concurrency"],
    length: settings["password-hash-queue"],
    observer: hashingMetrics(deps.metrics, () => queue.depth()),
  });
  const cost = { memoryKib: settings["password-memory-kib"], passes: settings["password-passes"] };
  const passwords = await createPasswords({ credentials, queue, cost, random });
  const links = passwordLinkRepository(db);
  const passwordChange = createPasswordChange({
    changes,
    credentials,
    passwords,
    links,
    sessions: sessionStore,
    codes,
    families,
  });
  deps.log.info("One password hash takes this long.", {
    milliseconds: Math.round(passwords.hashMs),
    detail: `argon2id, ${cost.memoryKib} KiB, passes: ${cost.passes}, at once: ${settings["password-hash-concurrency"]}`,
  });
  const limits = {
    idleMinutes: settings["session-idle-minutes"],
    absoluteMinutes: settings["session-absolute-minutes"],
  };
  const sessions = createSessions(sessionStore, limits, { clock, random });
  const signOuts = createSignOuts({ sessions: sessionStore, codes, families });
  const shared = {
    changes,
    applications,
    sessions,
    sessionRepository: sessionStore,
    consents,
    codes,
    workforce,
    issuer,
    clock,
    random,
  };
  const interactions = interactionService({ ...shared, interactions: interactionRepository(db) });
  const logout = { ...shared, logouts: logoutRequestRepository(db), signOuts, keys };
  const throttling = createThrottling({
    throttles: throttleRepository(db),
    plans: throttlePlans({
      failuresPerEmail: settings["sign-in-failures-per-email"],
      failuresPerNetwork: settings["sign-in-failures-per-network"],
      longestWaitSeconds: settings["sign-in-longest-wait-seconds"],
    }),
    sealer,
    clock,
  });
  const signInRecords = signInRepository(db);
  const signIns = createSignIns(signInRecords);
  const count = signInCounter(deps.metrics);
  const login = { ...shared, interactions, credentials, passwords, signOuts, signIns, throttling, count };
  const account = { ...login, families, signInRecords, passwordChange, signIn: signInWithPassword(login) };
  const consent = { interactions, workforce };
  const setPasswordPage = { links, passwordChange, workforce, clock };
  const personSessions = { changes, sessionRepository: sessionStore, codes, families, workforce, limits, clock };
  const operator = { applications, changes, workforce, random, development };

  return {
    registrations: [
      registration(BrowserService, {
        authorize: authorize({ applications, sessions, interactions, issuer }),
        showLogin: showLogin(login),
        submitLogin: submitLogin(login),
        showConsent: showConsent(consent),
        submitConsent: submitConsent(consent),
      }),
      registration(AccountService, {
        showAccount: showAccount(account),
        changeAccount: changeAccount(account),
        showAccountSignIn: showAccountSignIn(account),
        signInToAccount: signInToAccount(account),
        showPasswordChange: showPasswordChange(account),
        changePassword: changePassword(account),
      }),
      registration(LogoutService, {
        beginLogout: beginLogout(logout),
        showSignOut: showSignOut(logout),
        submitSignOut: submitSignOut(logout),
        showSignedOut: showSignedOut(logout),
      }),
      registration(TokensService, {
        exchangeToken: exchangeToken({
          changes,
          codes,
          families,
          refreshTokens,
          workforce,
          clock,
          random,
          applications,
          keys,
          issuer,
        }),
        getUserinfo: getUserinfo({ keys, families, issuer, clock, workforce }),
        getJwks: getJwks({ keys, maxAgeSeconds: settings["jwks-max-age-seconds"] }),
      }),
      registration(ExpiryService, {
        listIssueMinutes: listIssueMinutes({ codes, clock }),
        expireCodes: expireCodes({ changes, codes }),
      }),
      registration(OperatorService, {
        createApplication: createApplication(operator),
        listApplications: listApplications(operator),
        setPassword: setPassword({ passwordChange, workforce }),
      }),
      registration(PasswordsService, {
        showSetPassword: showSetPassword(setPasswordPage),
        submitSetPassword: submitSetPassword(setPasswordPage),
      }),
      registration(PeopleService, {
        createPasswordLink: createPasswordLink({ changes, credentials, links, workforce, issuer, random }),
        listSessions: listSessions(personSessions),
        endSessions: endSessions(personSessions),
      }),
    ],
    loops: [signOnSweepLoop(db, clock), ...(deps.expiry === "embedded" ? [codeExpiryLoop({ changes, codes })] : [])],
  };
}

/** A store whose keys cannot be opened could sign nothing: better no start than one that only looks well (F48). */
async function assertKeysOpen(keys: SigningKeys): Promise<void> {
  try {
    await keys.published();
  } catch (cause) {
    throw new StartRefused(
      "The store was sealed with another master key than the one that is given. Restore that key: the file master.key of the data directory, or the setting master-keys.",
      { cause },
    );
  }
}
