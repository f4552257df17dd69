import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { CredentialRepository } from "../credentials/credential-repository.ts";
import { LOOKS_MAX, type Passwords } from "../credentials/passwords.ts";
import { digestOf } from "../digest.ts";
import type { RefusingCall } from "../refusals/noting.ts";
import { pageRefusal, type RefusedBy } from "../refusals/refused.ts";
import { deviceOf } from "../sessions/device.ts";
import type { SessionRepository, SignOnSession } from "../sessions/session-repository.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { SignOuts } from "../sessions/sign-out-service.ts";
import type { SignOnTables } from "../tables.ts";
import { senderNetworkOf } from "../throttling/network.ts";
import type { ThrottledSubject, Throttling } from "../throttling/throttling-service.ts";
import type { SignInResult } from "./sign-in.ts";
import type { AttemptFailure, SignInAttempt, SignIns } from "./sign-ins-service.ts";

/** What was typed on a sign-in page, and where. */
export interface PasswordAttempt extends SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** When the request came that the page belongs to, if any: the password is entered after it, also where the clock was set back. */
  readonly requestedAt?: Date;
  /** Finds the session that the browser has so far; one that is idle or has expired is replaced, too. */
  readonly findOldSession: () => Promise<SignOnSession | undefined>;
  /** The secret in the browser's cookie so far: of a session that was removed it is all that is left. */
  readonly sessionSecret: string | undefined;
  /** The browser's device proof of an earlier sign-in (R-X91). */
  readonly deviceProof: string | undefined;
}

/**
 * The new session and the secret for its cookie; a failure without its reason (R-S17); or a wait, during which nothing
 * is checked.
 */
export type PasswordSignIn =
  | {
      readonly outcome: "succeeded";
      readonly session: SignOnSession;
      readonly secret: string;
      /** The device proof for the next sign-in; `undefined` while addresses are not throttled. */
      readonly deviceProof: string | undefined;
    }
  | { readonly outcome: "refused" }
  | { readonly outcome: "throttled"; readonly waitMs: number };

export interface PasswordSignInDeps {
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly credentials: Pick<CredentialRepository, "findPasswordSetAt" | "lockPasswordHash" | "renewPasswordHash">;
  readonly passwords: Passwords;
  readonly sessions: Pick<Sessions, "begin">;
  readonly sessionRepository: SessionRepository;
  readonly signOuts: Pick<SignOuts, "replace" | "replaceRemoved">;
  readonly signIns: SignIns;
  readonly throttling: Throttling;
  readonly count: (result: SignInResult) => void;
  readonly changes: Changes<SignOnTables>;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Checks e-mail and password; on success a new session replaces the browser's old one (S12). An unknown person, a wrong password and a
 * disabled person cost the same: one question to workforce, one look-up, one hash, one change with the same statements (R-S17, S16).
 * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when too many passwords are being checked.
 */
export const signInWithPassword =
  (deps: PasswordSignInDeps) =>
  async (attempt: PasswordAttempt, call: RefusingCall): Promise<PasswordSignIn> => {
    const { email, deviceProof } = attempt;
    const subjects = await deps.throttling.subjectsOf({
      email,
      networkAddress: addressOf(attempt),
      deviceProof,
      async passwordSetAt() {
        const { personId } = await deps.workforce.findPerson({ email }, { requestId: call.requestId });
        return personId ? await deps.credentials.findPasswordSetAt(personId as PersonId) : undefined;
      },
    });
    const waitMs = await deps.throttling.waitLeft(subjects);
    try {
      const signedIn: PasswordSignIn =
        waitMs > 0 ? { outcome: "throttled", waitMs } : await judge(deps, attempt, subjects, call);
      deps.count(signedIn.outcome);
      if (signedIn.outcome === "throttled") call.refused(THROTTLED, attempt.applicationId);
      return signedIn;
    } catch (error) {
      if (isQueueFull(error)) deps.count("busy");
      throw error;
    }
  };

const addressOf = ({ sender }: PasswordAttempt): string => sender?.networkAddress ?? "";

async function judge(
  deps: PasswordSignInDeps,
  attempt: PasswordAttempt,
  subjects: readonly ThrottledSubject[],
  call: RefusingCall,
): Promise<PasswordSignIn> {
  const found = await deps.workforce.findPerson({ email: attempt.email }, { requestId: call.requestId });
  const personId = (found.personId ?? undefined) as PersonId | undefined;
  const failed = (failure: AttemptFailure) => fail(deps, attempt, { subjects, failure, personId }, call);
  for (let looks = 1; ; looks++) {
    const matched = await deps.passwords.match(personId, attempt.password, senderNetworkOf(addressOf(attempt)));
    if (personId === undefined) return failed("unknown_person");
    if (found.disabled) return failed("person_disabled");
    if (matched === undefined || looks > LOOKS_MAX) return failed("wrong_password");
    const enabledAt = found.enabledAt ?? undefined;
    const begun = await begin(deps, attempt, { subjects, personId, matched, enabledAt }, call);
    if (begun?.outcome === "succeeded") await renewHash(deps, attempt, { personId, matched }, call);
    if (begun !== undefined) return begun;
    // The hash was replaced during the comparison: by that of another password, or by a costlier one of the same.
  }
}

/** Begins the session; `undefined` when the hash has changed: a new password ends sessions, this one included. */
async function begin(
  { sessions, sessionRepository, signOuts, credentials, signIns, throttling, changes, clock }: PasswordSignInDeps,
  attempt: PasswordAttempt,
  proven: {
    readonly subjects: readonly ThrottledSubject[];
    readonly personId: PersonId;
    readonly matched: string;
    /** When the person was last enabled again, read before the password was compared (R-X93). */
    readonly enabledAt: Date | undefined;
  },
  { requestId }: Call,
): Promise<PasswordSignIn | undefined> {
  const { subjects, personId, matched } = proven;
  const old = await attempt.findOldSession();
  const after = [attempt.requestedAt, proven.enabledAt];
  const begun = sessions.begin(personId, clock.now(), deviceOf(attempt.sender?.userAgent ?? ""), after);
  return changes.run(
    async (change) => {
      const { db, at, mayBeDone } = change;
      const passwordSetAt = await credentials.lockPasswordHash(db, personId, matched);
      if (passwordSetAt === undefined) return undefined;
      const deviceProof = throttling.deviceProof(attempt.email, at, passwordSetAt);
      const succeeded = { outcome: "succeeded", ...begun, deviceProof } as const;
      if (mayBeDone && (await sessionRepository.use(db, begun.session.digest, at))) return succeeded;
      const waitMs = await throttling.succeed(change, subjects);
      if (waitMs > 0) return { outcome: "throttled", waitMs };
      if (old === undefined && attempt.sessionSecret !== undefined)
        await signOuts.replaceRemoved(db, digestOf(attempt.sessionSecret), begun.session, at);
      if (old !== undefined && (await signOuts.replace(db, old, begun.session, at))) {
        const facts = { because: "another person signed in", application: attempt.applicationId ?? null };
        await change.audit({ actor: personId, action: "session.end", object: old.personId, facts });
      }
      await sessionRepository.create(db, begun.session);
      await signIns.succeed(change, attempt, personId);
      return succeeded;
    },
    { requestId, recognizesItself: true },
  );
}

/**
 * Replaces a hash that is cheaper than the settings require, while its password is known. When the queue is full, or it
 * fails otherwise, the next sign-in does it: this one has succeeded, and its session is stored.
 */
async function renewHash(
  { passwords, credentials, changes, log }: PasswordSignInDeps,
  attempt: PasswordAttempt,
  { personId, matched }: { readonly personId: PersonId; readonly matched: string },
  { requestId }: Call,
): Promise<void> {
  const network = senderNetworkOf(addressOf(attempt));
  try {
    const renewed = await passwords.renew(matched, attempt.password, network);
    if (renewed === undefined) return;
    await changes.run(
      async ({ db, audit }) => {
        // Replaces only the hash that was read: a password set meanwhile is kept.
        if (!(await credentials.renewPasswordHash(db, personId, { from: matched, to: renewed }))) return;
        await audit({ actor: personId, action: "password.rehash", object: personId });
      },
      { requestId },
    );
  } catch (error) {
    if (isQueueFull(error)) return;
    log.warn("A password could not be hashed again; the next sign-in tries it again.", { requestId, error });
  }
}

const isQueueFull = (error: unknown): boolean => error instanceof Failure && error.code === "RESOURCE_EXHAUSTED";

/** Counts, records and notes a failure; for an unknown person too. */
async function fail(
  { signIns, throttling, changes }: PasswordSignInDeps,
  attempt: PasswordAttempt,
  failed: {
    readonly subjects: readonly ThrottledSubject[];
    readonly failure: AttemptFailure;
    readonly personId: PersonId | undefined;
  },
  call: RefusingCall,
): Promise<PasswordSignIn> {
  const { subjects, failure, personId } = failed;
  const { requestId, peer } = call;
  const signIn = await changes.run<PasswordSignIn>(
    async (change) => {
      const { waitMs, begun } = await throttling.fail(change, subjects);
      await signIns.refuse(change, attempt, failure, personId, peer);
      for (const { kind, waitMs: begunMs } of begun) {
        await signIns.throttle(change, attempt, { by: kind, seconds: begunMs / 1_000 }, personId, peer);
      }
      return waitMs > 0 ? { outcome: "throttled", waitMs } : { outcome: "refused" };
    },
    { requestId },
  );
  if (signIn.outcome === "refused") call.refused(FAILED[failure], attempt.applicationId);
  return signIn;
}

/** As operators have a failed sign-in explained; the person who made it never learns which. */
const FAILED: Readonly<Record<AttemptFailure, RefusedBy>> = {
  unknown_person: pageRefusal("sign_in.unknown_person"),
  wrong_password: pageRefusal("sign_in.wrong_password"),
  person_disabled: pageRefusal("sign_in.person_disabled"),
};
const THROTTLED = pageRefusal("sign_in.throttled");
