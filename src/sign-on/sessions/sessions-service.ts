import type {
  EndSessionsRequest,
  EndSessionsResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  Session,
} from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { MINUTE_MS } from "#runtime/basis/durations.ts";
import { invalidArgument } from "#runtime/basis/errors.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { type PersonKey, personKeyViolations } from "../person-key.ts";
import type { SignOnTables } from "../tables.ts";
import type { SessionRepository, SignOnSession } from "./session-repository.ts";
import { isSessionOver, type SessionLimits, sidOf } from "./sessions.ts";
import type { SignOuts } from "./sign-out-service.ts";

export interface PersonSessionsDeps {
  readonly changes: Changes<SignOnTables>;
  readonly sessionRepository: SessionRepository;
  readonly signOuts: Pick<SignOuts, "everywhere">;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly limits: SessionLimits;
  readonly clock: Clock;
}

/**
 * Lists where the person is signed in, the latest sign-in first.
 * @throws INVALID_ARGUMENT for a malformed key; NOT_FOUND (person_not_found).
 */
export const listSessions =
  (deps: PersonSessionsDeps) =>
  async ({ key }: ListSessionsRequest, call: Call): Promise<ListSessionsResponse> =>
    liveSessions(deps, key, call);

/**
 * Ends every session and unspent code of the person and revokes the token families; returns the sessions that were
 * live.
 * @throws INVALID_ARGUMENT for a malformed key; NOT_FOUND (person_not_found).
 */
export const endSessions =
  (deps: PersonSessionsDeps) =>
  async ({ key }: EndSessionsRequest, call: Call): Promise<EndSessionsResponse> => {
    const { changes, signOuts } = deps;
    const alive = await liveSessions(deps, key, call);
    const personId = alive.personId as PersonId;
    await changes.run(
      async ({ db, at, audit }) => {
        await signOuts.everywhere(db, personId, "sessions ended by an operator", at);
        await audit({ actor: call.actor, action: "session.endAll", object: personId });
      },
      { requestId: call.requestId },
    );
    return alive;
  };

/**
 * The live sessions; empty for a disabled person, and without sessions from before the person was enabled again
 * (R-X93).
 */
async function liveSessions(deps: PersonSessionsDeps, key: PersonKey, call: Call): Promise<ListSessionsResponse> {
  const violations = personKeyViolations(key);
  if (violations.length > 0) throw invalidArgument(violations);
  const person = await deps.workforce.getPerson({ key }, { requestId: call.requestId });
  return { personId: person.personId, sessions: await sessionsOf(deps, person) };
}

/** The live sessions of a person who was read already. */
export async function sessionsOf(
  { sessionRepository, limits, clock }: Pick<PersonSessionsDeps, "sessionRepository" | "limits" | "clock">,
  person: { readonly personId: string } & Parameters<typeof isSessionOver>[1],
): Promise<Session[]> {
  const now = clock.now();
  const idleSince = new Date(now.getTime() - limits.idleMinutes * MINUTE_MS);
  const live = await sessionRepository.listLiveOf(person.personId as PersonId, now, idleSince);
  const shown = live.filter((session) => !isSessionOver(session, person));
  return shown.map((session) => toMessage(session, limits));
}

const toMessage = ({ digest, authenticatedAt, seenAt, expiresAt }: SignOnSession, limits: SessionLimits): Session => {
  const idleAt = seenAt.getTime() + limits.idleMinutes * MINUTE_MS;
  return { id: sidOf(digest), authenticatedAt, seenAt, expiresAt: new Date(Math.min(idleAt, expiresAt.getTime())) };
};
