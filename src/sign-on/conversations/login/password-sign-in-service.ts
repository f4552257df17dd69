import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { CredentialRepository } from "../../credentials/credential-repository.ts";
import type { Passwords } from "../../credentials/passwords.ts";
import type { SessionRepository, SignOnSession } from "../../sessions/session-repository.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { Refusal, SignInAttempt, SignIns } from "../../sign-ins/sign-ins-service.ts";
import type { SignOuts } from "../../sign-outs/sign-out-service.ts";
import type { SignOnTables } from "../../tables.ts";

export interface PasswordSignInDeps {
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly credentials: Pick<CredentialRepository, "holdPasswordHash">;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly sessionRepository: SessionRepository;
  readonly signOuts: Pick<SignOuts, "replace">;
  readonly signIns: SignIns;
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

/** The new session and the secret for its cookie, or a refusal that says no more (R-S17). */
export type PasswordSignIn =
  | { readonly outcome: "signed in"; readonly session: SignOnSession; readonly secret: string }
  | { readonly outcome: "refused" };

/**
 * Checks e-mail and password; on success a new session replaces the browser's old one (S12). An unknown person, a wrong password and a
 * disabled person cost the same: one question to workforce, one look-up, one hash, one change with the same statements (R-S17, S16).
 * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when too many passwords are being checked.
 */
export const signInWithPassword =
  (deps: PasswordSignInDeps) =>
  async (attempt: PasswordAttempt, call: Call): Promise<PasswordSignIn> => {
    const { workforce, passwords } = deps;
    const found = await workforce.findPerson({ email: attempt.email }, { requestId: call.requestId });
    const personId = (found.personId ?? undefined) as PersonId | undefined;
    const matched = await passwords.match(personId, attempt.password);
    if (personId === undefined) return refuse(deps, attempt, "unknown_person", undefined, call);
    if (found.disabled) return refuse(deps, attempt, "person_disabled", personId, call);
    if (matched === undefined) return refuse(deps, attempt, "wrong_password", personId, call);
    // A password that was changed while it was being checked is as good as a wrong one.
    return (
      (await begin(deps, attempt, personId, matched, call)) ?? refuse(deps, attempt, "wrong_password", personId, call)
    );
  };

/** Begins the session; `undefined` when another password was set meanwhile: that ends sessions, this one included. */
function begin(
  { sessions, sessionRepository, signOuts, credentials, signIns, changes, clock }: PasswordSignInDeps,
  attempt: PasswordAttempt,
  personId: PersonId,
  matched: string,
  { requestId }: Call,
): Promise<PasswordSignIn | undefined> {
  const begun = sessions.begin(personId, clock.now());
  return changes.run(
    async (change) => {
      const { db, at } = change;
      if (!(await credentials.holdPasswordHash(db, personId, matched))) return undefined;
      if (attempt.session !== undefined) await signOuts.replace(db, attempt.session, begun.session, at);
      await sessionRepository.create(db, begun.session);
      await signIns.succeed(change, attempt, personId);
      return { outcome: "signed in", ...begun };
    },
    { requestId },
  );
}

function refuse(
  { signIns, changes }: PasswordSignInDeps,
  attempt: PasswordAttempt,
  refusal: Refusal,
  personId: PersonId | undefined,
  { requestId, peer }: Call,
): Promise<PasswordSignIn> {
  return changes.run(
    async (change) => {
      await signIns.refuse(change, attempt, refusal, personId, peer);
      return { outcome: "refused" };
    },
    { requestId },
  );
}
