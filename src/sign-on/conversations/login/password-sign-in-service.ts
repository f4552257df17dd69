import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { CredentialRepository } from "../../credentials/credential-repository.ts";
import type { Passwords } from "../../credentials/passwords.ts";
import { deviceOf } from "../../sessions/device.ts";
import type { SessionRepository, SignOnSession } from "../../sessions/session-repository.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { SignInResult } from "../../sign-ins/sign-in-metrics.ts";
import type { Refusal, SignInAttempt, SignIns } from "../../sign-ins/sign-ins-service.ts";
import type { SignOuts } from "../../sign-outs/sign-out-service.ts";
import type { SignOnTables } from "../../tables.ts";
import type { ThrottledSubject, Throttling } from "../../throttling/throttling-service.ts";

export interface PasswordSignInDeps {
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly credentials: Pick<CredentialRepository, "holdPasswordHash">;
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

/** What somebody typed, and where. */
export interface PasswordAttempt extends SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The session that the browser has so far. */
  readonly session: SignOnSession | undefined;
}

/** The new session and the secret for its cookie; a refusal that says no more (R-S17); or a wait, and nothing was looked at. */
export type PasswordSignIn =
  | { readonly outcome: "succeeded"; readonly session: SignOnSession; readonly secret: string }
  | { readonly outcome: "refused" }
  | { readonly outcome: "throttled"; readonly waitMs: number };

/**
 * Checks e-mail and password; on success a new session replaces the browser's old one (S12). An unknown person, a wrong password and a
 * disabled person cost the same: one question to workforce, one look-up, one hash, one change with the same statements (R-S17, S16).
 * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when too many passwords are being checked.
 */
export const signInWithPassword =
  (deps: PasswordSignInDeps) =>
  async (attempt: PasswordAttempt, call: Call): Promise<PasswordSignIn> => {
    const { email, sender } = attempt;
    const subjects = deps.throttling.subjectsOf({ email, networkAddress: sender?.networkAddress ?? "" });
    const waitMs = await deps.throttling.waitLeft(subjects);
    const signedIn: PasswordSignIn =
      waitMs > 0 ? { outcome: "throttled", waitMs } : await judge(deps, attempt, subjects, call);
    deps.count(signedIn.outcome);
    return signedIn;
  };

async function judge(
  deps: PasswordSignInDeps,
  attempt: PasswordAttempt,
  subjects: readonly ThrottledSubject[],
  call: Call,
): Promise<PasswordSignIn> {
  const found = await deps.workforce.findPerson({ email: attempt.email }, { requestId: call.requestId });
  const personId = (found.personId ?? undefined) as PersonId | undefined;
  const matched = await deps.passwords.match(personId, attempt.password);
  const refused = (refusal: Refusal) => refuse(deps, attempt, { subjects, refusal, personId }, call);
  if (personId === undefined) return refused("unknown_person");
  if (found.disabled) return refused("person_disabled");
  if (matched === undefined) return refused("wrong_password");
  // A password that was changed while it was being checked is as good as a wrong one.
  return (await begin(deps, attempt, { subjects, personId, matched }, call)) ?? refused("wrong_password");
}

/** Begins the session; `undefined` when another password was set meanwhile: that ends sessions, this one included. */
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
      if (!(await credentials.holdPasswordHash(db, personId, matched))) return undefined;
      const waitMs = await throttling.succeed(change, subjects);
      if (waitMs > 0) return { outcome: "throttled", waitMs };
      if (attempt.session !== undefined) await signOuts.replace(db, attempt.session, begun.session, at);
      await sessionRepository.create(db, begun.session);
      await signIns.succeed(change, attempt, personId);
      return { outcome: "succeeded", ...begun };
    },
    { requestId },
  );
}

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
