import { Membership, type SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import type { Application } from "../applications/application.ts";
import type { ConsentRepository } from "../consents/consent-repository.ts";
import type { ConsentingSession, SessionRepository, SignOnSession } from "../sessions/session-repository.ts";
import type { SignOnTables } from "../tables.ts";
import type { AuthorizationRequest } from "./interaction.ts";
import {
  type MembershipAnswer,
  type Need,
  needOfConsent,
  needOfMembership,
  needOfRegistration,
  needOfSignIn,
} from "./needs.ts";

export interface SignInCourseDeps {
  readonly changes: Changes<SignOnTables>;
  readonly sessionRepository: Pick<SessionRepository, "end">;
  readonly consents: Pick<ConsentRepository, "findScopes">;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly clock: Clock;
}

type CourseCall = Pick<Call, "requestId">;

/** What the person has done so far in this interaction. */
export interface Progress {
  /** Approved on the consent page just now. */
  readonly consented?: boolean;
  /** Entered the password just now. */
  readonly signedIn?: boolean;
}

/** The result: a need, or a session that may get the code. */
type Course = { readonly need: Need } | { readonly ready: SignOnSession | ConsentingSession };

/** Finds what a sign-in needs next: sign-in, membership, consent, in this order; membership records the sign-in, before consent (R-S19). */
export function signInCourse({ changes, sessionRepository, consents, workforce, clock }: SignInCourseDeps) {
  const endSession = ({ digest, personId }: SignOnSession, { requestId }: CourseCall): Promise<void> =>
    changes.run(
      async ({ db, at, audit }) => {
        if (!(await sessionRepository.end(db, digest, at))) return;
        await audit({ actor: "services", action: "session.end", object: personId, facts: { because: "was disabled" } });
      },
      { requestId, recognizesItself: true },
    );

  const record = async (
    { instanceId }: AuthorizationRequest,
    { personId, authenticatedAt }: SignOnSession,
    { requestId }: CourseCall,
  ): Promise<MembershipAnswer> => {
    const { membership } = await workforce.recordSignIn({ personId, instanceId, authenticatedAt }, { requestId });
    return toMembershipAnswer(membership);
  };

  return async (
    request: AuthorizationRequest,
    application: Application,
    session: SignOnSession | ConsentingSession | undefined,
    requestedAt: Date,
    progress: Progress,
    call: CourseCall,
  ): Promise<Course> => {
    const times = { requestedAt, now: clock.now(), justSignedIn: progress.signedIn };
    const need = needOfRegistration(application, request) ?? needOfSignIn(request, session, times);
    if (session === undefined) return { need: need ?? { kind: "sign in" } };
    if (need !== undefined) {
      // The sign-in counts even if the application expected another person (R-X162).
      if (progress.signedIn === true) await record(request, session, call);
      return { need };
    }
    const membership = await record(request, session, call);
    // Ended in the store; otherwise the login page would accept this session, and that of a disabled person would be refused
    // at each request, so that nobody else could sign in in this browser.
    if (membership === "signed out" || membership === "disabled") await endSession(session, call);
    const refused = needOfMembership(membership, request);
    if (refused !== undefined) return { need: refused };
    if (progress.consented === true) return { ready: session };
    const subject = {
      personId: session.personId,
      applicationId: request.applicationId,
      instanceId: request.instanceId,
    };
    const approved = "approvedScopes" in session ? session.approvedScopes : await consents.findScopes(subject);
    const consent = needOfConsent(application, request, approved);
    return consent === undefined ? { ready: session } : { need: consent };
  };
}

/** An unknown answer counts as no membership. */
const toMembershipAnswer = (membership: Membership): MembershipAnswer => MEMBERSHIPS[membership] ?? "none";

const MEMBERSHIPS: Readonly<Partial<Record<Membership, MembershipAnswer>>> = {
  [Membership.MEMBER]: "member",
  [Membership.DISABLED]: "disabled",
  [Membership.SIGNED_OUT]: "signed out",
};
