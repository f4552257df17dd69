import type {
  ExplainedPerson,
  ExplainedSeat,
  ExplainPersonRequest,
  ExplainPersonResponse,
  SignInAttempt,
} from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import {
  type DescribedPerson,
  type DescribedSeat,
  SeatState,
  type SignInService,
} from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { type AuditLogEntry, newestInAudit, readAudit } from "#runtime/audit/audit-log.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { notFound } from "#runtime/basis/errors.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { ApplicationRepository } from "../applications/application-repository.ts";
import type { CredentialRepository } from "../credentials/credential-repository.ts";
import { deviceOf } from "../sessions/device.ts";
import { type PersonSessionsDeps, sessionsOf } from "../sessions/sessions-service.ts";
import type { SignIn } from "../sign-ins/sign-in.ts";
import type { SignInRepository } from "../sign-ins/sign-in-repository.ts";
import type { Throttling } from "../throttling/throttling-service.ts";
import { signInObstacles } from "./sign-in-obstacle.ts";

export interface ExplainPersonDeps extends Pick<PersonSessionsDeps, "sessionRepository" | "limits"> {
  /** All domains share one audit log. */
  readonly auditLog: Database<unknown>;
  readonly workforce: Pick<PromiseClient<typeof SignInService>, "describePerson">;
  readonly credentials: Pick<CredentialRepository, "findPasswordHash">;
  readonly throttling: Pick<Throttling, "waitOf">;
  readonly applications: Pick<ApplicationRepository, "findAny">;
  readonly signInRecords: Pick<SignInRepository, "listRecent">;
  readonly clock: Clock;
}

const ATTEMPTS_MAX = 10;

/**
 * Whether a person can sign in and, if not, why (R-X197): one answer out of seats, password, throttling, audit log
 * and sessions. Changes nothing.
 * @throws NOT_FOUND (person_not_found).
 */
export const explainPerson =
  (deps: ExplainPersonDeps) =>
  async ({ key }: ExplainPersonRequest, call: Call): Promise<ExplainPersonResponse> => {
    const { person } = await deps.workforce.describePerson({ key }, { requestId: call.requestId });
    if (!person) throw notFound("person_not_found", "There is no person with this id or e-mail address.");
    return { person: await explain(deps, person) };
  };

async function explain(deps: ExplainPersonDeps, person: DescribedPerson): Promise<ExplainedPerson> {
  const { auditLog, credentials, throttling, clock } = deps;
  const personId = person.personId as PersonId;
  const hasPassword = (await credentials.findPasswordHash(personId)) !== undefined;
  const disabling = person.disabled
    ? await lastDeed(auditLog, personId, person.erased ? "person.erase" : "person.disable")
    : undefined;
  const waitMs = await throttling.waitOf(person.email);
  const openAt = waitMs > 0 ? new Date(clock.now().getTime() + waitMs) : undefined;
  return {
    personId,
    email: person.email,
    emailVerified: person.emailVerified,
    firstName: person.firstName ?? null,
    lastName: person.lastName ?? null,
    hasPassword,
    obstacles: signInObstacles({ person, hasPassword, disabling, openAt }),
    seats: await Promise.all(person.seats.map((seat) => withDeed(auditLog, seat))),
    attempts: await attemptsOf(deps, personId),
    sessions: await sessionsOf(deps, { ...person, enabledAt: person.enabledAt ?? undefined }),
  };
}

/** What made the seat as it is. */
const DEEDS: Readonly<Partial<Record<SeatState, string>>> = {
  [SeatState.ACTIVE]: "user.enable",
  [SeatState.INACTIVE]: "user.disable",
  [SeatState.DELETED]: "user.delete",
};

async function withDeed(auditLog: Database<unknown>, seat: DescribedSeat): Promise<ExplainedSeat> {
  const action = DEEDS[seat.state];
  const deed = action === undefined ? undefined : await lastDeed(auditLog, seat.id, action);
  const before =
    deed?.action === "user.enable"
      ? await newestInAudit(auditLog, { object: seat.id, action: "user.disable" })
      : undefined;
  return {
    seat,
    since: deed?.at ?? null,
    actor: deed?.actor ?? null,
    disabledAt: before?.at ?? null,
    disabledBy: before?.actor ?? null,
  };
}

const lastDeed = (auditLog: Database<unknown>, object: string, action: string): Promise<AuditLogEntry | undefined> =>
  newestInAudit(auditLog, { object, action });

/**
 * From the audit log, which has each attempt with the id of its request, and what applications got after it; and from where it
 * came, which the log never has (R-X86).
 */
async function attemptsOf(
  { auditLog, applications, signInRecords }: ExplainPersonDeps,
  personId: PersonId,
): Promise<SignInAttempt[]> {
  const { entries: attempts } = await readAudit(auditLog, { ...ANY, object: personId, action: "signIn.*" });
  // Of many entries only the newest are read: the log has no index of its actors.
  const { entries: refusals } = await readAudit(auditLog, { ...ANY, actor: personId, action: "authorization.refuse" });
  const errors = new Map(refusals.map((refusal) => [refusal.requestId, errorOf(refusal)]));
  const signedInNow = new Set(attempts.map(({ requestId }) => requestId));
  const signedInBefore = refusals.filter(({ requestId }) => !signedInNow.has(requestId));
  const records = await signInRecords.listRecent(personId, ATTEMPTS_MAX);
  const newest = [...attempts, ...signedInBefore].toSorted((one, other) => Number(other.number) - Number(one.number));
  return Promise.all(
    newest.slice(0, ATTEMPTS_MAX).map(async ({ at, action, object, requestId, facts }) => {
      const wasSignedIn = action === "authorization.refuse";
      const { application = null, reason = null } = wasSignedIn
        ? { application: object, reason: "refused" }
        : factsOf(facts);
      const succeeded = action === "signIn.succeed";
      return {
        at,
        succeeded,
        reason: action === "signIn.throttle" ? "throttled" : reason,
        applicationId: application,
        applicationName: application ? ((await applications.findAny(application))?.name ?? null) : null,
        requestId,
        error: errors.get(requestId) ?? null,
        ...originOf(wasSignedIn ? undefined : records.find(isOf(at, succeeded ? "succeeded" : "failed"))),
      };
    }),
  );
}

/** Entry and record of an attempt are of one change, and have its time. */
const isOf =
  (at: Date, outcome: SignIn["outcome"]) =>
  (record: SignIn): boolean =>
    record.outcome === outcome && record.at.getTime() === at.getTime();

const originOf = (record: SignIn | undefined): Pick<SignInAttempt, "network" | "userAgent" | "device"> => ({
  network: record?.network ?? null,
  userAgent: record?.userAgent ?? null,
  device: record ? deviceOf(record.userAgent ?? "") : null,
});

const ANY = {
  actor: undefined,
  object: undefined,
  requestId: undefined,
  since: undefined,
  until: undefined,
  before: undefined,
  limit: ATTEMPTS_MAX,
};

const factsOf = (facts: AuditLogEntry["facts"]) =>
  JSON.parse(facts) as { readonly application?: string | null; readonly reason?: string; readonly error?: string };

/** Entries of earlier versions do not say which. */
const errorOf = ({ facts }: AuditLogEntry): string => factsOf(facts).error ?? "an error";
