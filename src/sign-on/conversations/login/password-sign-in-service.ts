import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { CredentialRepository } from "../../credentials/credential-repository.ts";
import type { Passwords } from "../../credentials/passwords.ts";
import { deviceOf } from "../../sessions/device.ts";
import type { SessionRepository } from "../../sessions/session-repository.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { senderNetworkOf } from "../../sign-ins/network.ts";
import type { SignInResult } from "../../sign-ins/sign-in-metrics.ts";
import type { PasswordAttempt, PasswordSignIn, Refusal, SignIns } from "../../sign-ins/sign-ins-service.ts";
import type { SignOuts } from "../../sign-outs/sign-out-service.ts";
import type { SignOnTables } from "../../tables.ts";
import type { ThrottledSubject, Throttling } from "../../throttling/throttling-service.ts";

export interface PasswordSignInDeps {
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly credentials: Pick<CredentialRepository, "lockPasswordHash" | "renewPasswordHash">;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly sessionRepository: SessionRepository;
  readonly signOuts: Pick<SignOuts, "replace">;
  readonly signIns: SignIns;
  readonly throttling: Throttling;
  readonly count: (result: SignInResult) => void;
  readonly changes: Changes<SignOnTables>;
  readonly clock: Clock;
}

/** How often a hash that is replaced meanwhile is looked at again. */
const LOOKS_MAX = 3;

/**
 * Checks e-mail and password; on success a new session replaces the browser's old one (S12). An unknown person, a wrong password and a
 * disabled person cost the same: one question to workforce, one look-up, one hash, one change with the same statements (R-S17, S16).
 * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when too many passwords are being checked.
 */
export const signInWithPassword =
  (deps: PasswordSignInDeps) =>
  async (attempt: PasswordAttempt, call: Call): Promise<PasswordSignIn> => {
    const { email, deviceProof } = attempt;
    const subjects = deps.throttling.subjectsOf({ email, networkAddress: addressOf(attempt), deviceProof });
    const waitMs = await deps.throttling.waitLeft(subjects);
    try {
      const signedIn: PasswordSignIn =
        waitMs > 0 ? { outcome: "throttled", waitMs } : await judge(deps, attempt, subjects, call);
      deps.count(signedIn.outcome);
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
  call: Call,
): Promise<PasswordSignIn> {
  const found = await deps.workforce.findPerson({ email: attempt.email }, { requestId: call.requestId });
  const personId = (found.personId ?? undefined) as PersonId | undefined;
  const refused = (refusal: Refusal) => refuse(deps, attempt, { subjects, refusal, personId }, call);
  for (let looks = 1; ; looks++) {
    const matched = await deps.passwords.match(personId, attempt.password, senderNetworkOf(addressOf(attempt)));
    if (personId === undefined) return refused("unknown_person");
    if (found.disabled) return refused("person_disabled");
    if (matched === undefined || looks > LOOKS_MAX) return refused("wrong_password");
    const begun = await begin(deps, attempt, { subjects, personId, matched }, call);
    if (begun?.outcome === "succeeded") await renewHash(deps, attempt, { personId, matched }, call);
    if (begun !== undefined) return begun;
    // The hash was replaced while it was being compared: by one of another password, or by a dearer one of this.
  }
}

/** Begins the session; `undefined` when the hash is another one by now: a new password ends sessions, this one included. */
function begin(
  { sessions, sessionRepository, signOuts, credentials, signIns, throttling, changes, clock }: PasswordSignInDeps,
  attempt: PasswordAttempt,
  proven: { readonly subjects: readonly ThrottledSubject[]; readonly personId: PersonId; readonly matched: string },
  { requestId }: Call,
): Promise<PasswordSignIn | undefined> {
  const { subjects, personId, matched } = proven;
  const begun = sessions.begin(personId, clock.now(), deviceOf(attempt.sender?.userAgent ?? ""));
  return changes.run(
    async (change) => {
      const { db, at } = change;
      if (!(await credentials.lockPasswordHash(db, personId, matched))) return undefined;
      const waitMs = await throttling.succeed(change, subjects);
      if (waitMs > 0) return { outcome: "throttled", waitMs };
      if (attempt.session !== undefined) await signOuts.replace(db, attempt.session, begun.session, at);
      await sessionRepository.create(db, begun.session);
      await signIns.succeed(change, attempt, personId);
      return { outcome: "succeeded", ...begun, deviceProof: throttling.deviceProof(attempt.email, at) };
    },
    { requestId },
  );
}

/** Replaces a hash that is cheaper than the settings ask for, since its password is at hand now. A full queue leaves it for the next time. */
async function renewHash(
  { passwords, credentials, changes }: PasswordSignInDeps,
  attempt: PasswordAttempt,
  { personId, matched }: { readonly personId: PersonId; readonly matched: string },
  { requestId }: Call,
): Promise<void> {
  const source = senderNetworkOf(addressOf(attempt));
  const renewed = await passwords.renew(matched, attempt.password, source).catch((error: unknown) => {
    if (isQueueFull(error)) return undefined;
    throw error;
  });
  if (renewed === undefined) return;
  await changes.run(
    async ({ db, audit }) => {
      // Only the hash that was read: a password that was set meanwhile stays.
      if (!(await credentials.renewPasswordHash(db, personId, { from: matched, to: renewed }))) return;
      await audit({ actor: personId, action: "password.rehash", object: personId });
    },
    { requestId },
  );
}

const isQueueFull = (error: unknown): boolean => error instanceof Failure && error.code === "RESOURCE_EXHAUSTED";

/** Counts and writes down a failure; an unknown person's like any other. */
function refuse(
  { signIns, throttling, changes }: PasswordSignInDeps,
  attempt: PasswordAttempt,
  failed: {
    readonly subjects: readonly ThrottledSubject[];
    readonly refusal: Refusal;
    readonly personId: PersonId | undefined;
  },
  { requestId, peer }: Call,
): Promise<PasswordSignIn> {
  const { subjects, refusal, personId } = failed;
  return changes.run(
    async (change) => {
      const { waitMs, begun } = await throttling.fail(change, subjects);
      await signIns.refuse(change, attempt, refusal, personId, peer);
      for (const { kind, waitMs: begunMs } of begun) {
        await signIns.throttle(change, attempt, { by: kind, seconds: begunMs / 1_000 }, personId, peer);
      }
      return waitMs > 0 ? { outcome: "throttled", waitMs } : { outcome: "refused" };
    },
    { requestId },
  );
}
