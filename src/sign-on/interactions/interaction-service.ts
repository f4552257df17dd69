import {
  ErrorPageReason,
  type InteractionProof,
  type NextStep,
} from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { Membership, type SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { AuditEntry } from "#runtime/audit/audit.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { randomCharacters } from "#runtime/basis/ids.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { Application } from "../applications/application.ts";
import type { ApplicationRepository } from "../applications/application-repository.ts";
import { matchRedirectUri, webOrigin } from "../applications/redirect-uri.ts";
import type { AuthorizationCodeRepository } from "../authorization-codes/authorization-code-repository.ts";
import { scopesToApprove } from "../claims/requested-claims.ts";
import type { ConsentRepository } from "../consents/consent-repository.ts";
import { digestOf, sameDigest } from "../digest.ts";
import type { SessionRepository, SignOnSession } from "../sessions/session-repository.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { SignOnTables } from "../tables.ts";
import {
  type AuthorizationErrorCode,
  codeParameters,
  errorParameters,
  responseStep,
} from "./authorization-response.ts";
import { type AuthorizationRequest, INTERACTION_LIFETIME_MS, type Interaction } from "./interaction.ts";
import type { InteractionRepository } from "./interaction-repository.ts";
import {
  type MembershipAnswer,
  type Need,
  needOfConsent,
  needOfMembership,
  needOfRegistration,
  needOfSignIn,
} from "./next-step.ts";

export interface InteractionDeps {
  readonly changes: Changes<SignOnTables>;
  readonly interactions: InteractionRepository;
  readonly applications: ApplicationRepository;
  readonly sessions: Sessions;
  readonly sessionRepository: SessionRepository;
  readonly consents: ConsentRepository;
  readonly codes: AuthorizationCodeRepository;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly issuer: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** An interaction that this browser has proven to be its own, with the application that asked. */
export interface ProvenInteraction {
  readonly interaction: Interaction;
  readonly application: Application;
  readonly secret: string;
  readonly session: SignOnSession | undefined;
}

/** What the person has done so far in this interaction. */
export interface Progress {
  /** Approved on the consent page just now. */
  readonly consented?: boolean;
  /** Entered the password just now. */
  readonly signedIn?: boolean;
}

export type Proof = { readonly proven: ProvenInteraction } | { readonly nextStep: NextStep };

/** The course of a sign-in, whichever page it stands at; the only place that makes interactions, codes and next steps. */
export interface InteractionService {
  /** Begins with a proven request: straight on where nothing must be asked, otherwise a stored interaction and its secret. */
  begin(
    request: AuthorizationRequest,
    application: Application,
    session: SignOnSession | undefined,
    requestId: string,
  ): Promise<{ nextStep: NextStep; interactionSecret?: string }>;
  /** Keeps a proven request until the browser comes back for it with its cookies: one by POST brings none (R-S14). */
  keep(request: AuthorizationRequest, requestId: string): Promise<{ nextStep: NextStep; interactionSecret: string }>;
  /** Proves that a page or form belongs to an open interaction of this browser; otherwise the error page that says why. */
  prove(proof: InteractionProof | null): Promise<Proof>;
  /** What comes next after a page. */
  advance(proven: ProvenInteraction, progress: Progress, requestId: string): Promise<NextStep>;
  /** Ends the interaction with an error for the application. */
  refuse(
    proven: ProvenInteraction,
    error: AuthorizationErrorCode,
    description: string,
    requestId: string,
  ): Promise<NextStep>;
}

/** @param redirectUri of the sign-in that it is about: its application is where a person can begin again. */
export const errorPage = (reason: ErrorPageReason, redirectUri?: string): NextStep => ({
  step: {
    $case: "errorPage",
    value: { reason, startAgainOrigin: redirectUri === undefined ? null : (webOrigin(redirectUri) ?? null) },
  },
});

/** Why no code was issued after all: something that `course` had found was taken back. */
type Unfinished = "session ended" | "consent withdrawn";

/** What `course` found: a need, or a session that may go on to the code. */
type Course = { readonly need: Need } | { readonly ready: SignOnSession };

export function interactionService(deps: InteractionDeps): InteractionService {
  const {
    changes,
    interactions,
    applications,
    sessions,
    sessionRepository,
    consents,
    codes,
    workforce,
    issuer,
    clock,
    random,
  } = deps;

  const endSession = ({ digest, personId }: SignOnSession, requestId: string): Promise<void> =>
    changes.run(
      async ({ db, at, audit }) => {
        await sessionRepository.end(db, digest, at);
        await audit({ actor: "services", action: "session.end", object: personId, facts: { because: "was disabled" } });
      },
      { requestId },
    );

  /** Sign-in, membership, consent, in this order; membership records the sign-in, before consent (R-S19). */
  const course = async (
    request: AuthorizationRequest,
    application: Application,
    session: SignOnSession | undefined,
    requestedAt: Date,
    progress: Progress,
    requestId: string,
  ): Promise<Course> => {
    const times = { requestedAt, now: clock.now(), justSignedIn: progress.signedIn };
    const signIn = needOfSignIn(request, session, times);
    if (signIn !== undefined || session === undefined) return { need: signIn ?? { kind: "sign in" } };
    const { personId, authenticatedAt } = session;
    const asked = { personId, instanceId: request.instanceId, authenticatedAt };
    const membership = toMembershipAnswer((await workforce.recordSignIn(asked, { requestId })).membership);
    // Ended for good, or the login page would take it for a session that will do.
    if (membership === "signed out") await endSession(session, requestId);
    const refused = needOfMembership(membership, request);
    if (refused !== undefined) return { need: refused };
    if (progress.consented === true) return { ready: session };
    const subject = { personId, applicationId: request.applicationId, instanceId: request.instanceId };
    const consent = needOfConsent(application, request, await consents.findScopes(subject));
    return consent === undefined ? { ready: session } : { need: consent };
  };

  /**
   * Ends the interaction (if any) and issues the code in one transaction; a second submission of the same form finds it ended. When the
   * session has ended or the consent was withdrawn since they were read, no code is issued, and the person is asked again.
   */
  const finish = async (
    request: AuthorizationRequest,
    application: Application,
    session: SignOnSession,
    interaction: Interaction | undefined,
    progress: Progress,
    requestId: string,
  ): Promise<NextStep | Unfinished> => {
    const code = newSecret(random);
    const subject = { personId: session.personId, applicationId: application.id, instanceId: request.instanceId };
    const outcome = await changes.run<"issued" | "interaction ended" | Unfinished>(
      async ({ db, at, audit }) => {
        if (!(await sessionRepository.use(db, session.digest, at))) return "session ended";
        // Who withdraws a consent holds the person's sessions: it is read here as it stands for this code.
        const asked = progress.consented !== true && needOfConsent(application, request, []) !== undefined;
        if (asked && needOfConsent(application, request, await consents.findScopes(subject, db)) !== undefined)
          return "consent withdrawn";
        if (interaction !== undefined && !(await interactions.end(db, interaction.id, at))) return "interaction ended";
        if (progress.consented === true) {
          const approved = scopesToApprove(request);
          await consents.grant(db, subject, approved, at);
          const { applicationId, instanceId, personId } = subject;
          const facts = { application: applicationId, instance: instanceId, scopes: approved.join(" ") };
          await audit({ actor: personId, action: "consent.grant", object: personId, facts });
        }
        const expiresAt = new Date(at.getTime() + application.lifetimes.authorizationCodeSeconds * 1000);
        const { personId, authenticatedAt } = session;
        await codes.create(db, {
          ...request,
          digest: digestOf(code),
          personId,
          sessionDigest: session.digest,
          authenticatedAt,
          issuedAt: at,
          expiresAt,
        });
        return "issued";
      },
      { requestId },
    );
    if (outcome === "session ended" || outcome === "consent withdrawn") return outcome;
    return outcome === "issued"
      ? responseStep(request, codeParameters(request, issuer, code), interaction?.id)
      : errorPage(ErrorPageReason.ERROR_PAGE_REASON_INTERACTION_GONE, request.redirectUri);
  };

  const refuse: InteractionService["refuse"] = async ({ interaction, session }, error, description, requestId) => {
    const ended = await changes.run(
      async ({ db, at, audit }) => {
        const first = await interactions.end(db, interaction.id, at);
        if (first && session !== undefined) await audit(refusedEntry(interaction, session, description));
        return first;
      },
      { requestId },
    );
    return ended
      ? responseStep(interaction, errorParameters(interaction, issuer, error, description), interaction.id)
      : errorPage(ErrorPageReason.ERROR_PAGE_REASON_INTERACTION_GONE, interaction.redirectUri);
  };

  const create = async (request: AuthorizationRequest, requestedAt: Date, requestId: string) => {
    const secret = newSecret(random);
    const id = randomCharacters(random, 22);
    const expiresAt = new Date(requestedAt.getTime() + INTERACTION_LIFETIME_MS);
    const interaction = { ...request, id, secretDigest: digestOf(secret), createdAt: requestedAt, expiresAt };
    await changes.run(({ db }) => interactions.create(db, interaction), { requestId });
    return { id, secret };
  };

  const service: InteractionService = {
    async begin(request, application, session, requestId) {
      const requestedAt = clock.now();
      const found = await course(request, application, session, requestedAt, {}, requestId);
      if ("ready" in found) {
        const finished = await finish(request, application, found.ready, undefined, {}, requestId);
        return typeof finished === "string"
          ? service.begin(request, application, finished === "session ended" ? undefined : session, requestId)
          : { nextStep: finished };
      }
      if (found.need.kind === "refuse") {
        const { error, description } = found.need;
        // Who was asked and may not is an outcome; that nobody is signed in, as prompt=none asks, is none.
        if (error === "access_denied" && session !== undefined)
          await changes.run(({ audit }) => audit(refusedEntry(request, session, description)), { requestId });
        return { nextStep: responseStep(request, errorParameters(request, issuer, error, description), undefined) };
      }
      const { id, secret } = await create(request, requestedAt, requestId);
      return { nextStep: pageOf(found.need.kind, id, request), interactionSecret: secret };
    },

    async keep(request, requestId) {
      const { id, secret } = await create(request, clock.now(), requestId);
      return { nextStep: pageOf("sign in", id, request), interactionSecret: secret };
    },

    async prove(proof) {
      const { interactionId = "", interactionSecret = "", sessionSecret } = proof ?? {};
      const interaction = await interactions.findOpen(interactionId, clock.now());
      if (interaction === undefined) {
        const redirectUri = await interactions.findRedirectUri(interactionId);
        return { nextStep: errorPage(ErrorPageReason.ERROR_PAGE_REASON_INTERACTION_GONE, redirectUri) };
      }
      if (!sameDigest(digestOf(interactionSecret), interaction.secretDigest)) {
        const redirectUri = await interactions.findRedirectUri(interactionId);
        return { nextStep: errorPage(ErrorPageReason.ERROR_PAGE_REASON_INTERACTION_ELSEWHERE, redirectUri) };
      }
      const application = await applications.find(interaction.applicationId);
      if (application === undefined)
        return { nextStep: errorPage(ErrorPageReason.ERROR_PAGE_REASON_UNKNOWN_APPLICATION) };
      // It may have been taken away since the request came; nobody is sent there any more (S1).
      const registered = matchRedirectUri(application.redirectUris, application.kind, interaction.redirectUri);
      if (registered?.instanceId !== interaction.instanceId)
        return { nextStep: errorPage(ErrorPageReason.ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI) };
      const session = await sessions.find(sessionSecret ?? undefined);
      return { proven: { interaction, application, secret: interactionSecret, session } };
    },

    async advance(proven, progress, requestId) {
      const { interaction, application, session } = proven;
      const gone = needOfRegistration(application, interaction);
      if (gone?.kind === "refuse") return refuse(proven, gone.error, gone.description, requestId);
      const found = await course(interaction, application, session, interaction.createdAt, progress, requestId);
      if ("ready" in found) {
        const finished = await finish(interaction, application, found.ready, interaction, progress, requestId);
        return typeof finished === "string"
          ? service.advance({ ...proven, session: finished === "session ended" ? undefined : session }, {}, requestId)
          : finished;
      }
      const { need } = found;
      return need.kind === "refuse"
        ? refuse(proven, need.error, need.description, requestId)
        : pageOf(need.kind, interaction.id, interaction);
    },

    refuse,
  };
  return service;
}

/** That a person who is signed in was refused, or refused themselves. */
const refusedEntry = (
  { applicationId, instanceId }: AuthorizationRequest,
  { personId }: SignOnSession,
  because: string,
): AuditEntry => ({
  actor: personId,
  action: "authorization.refuse",
  object: applicationId,
  facts: { instance: instanceId, because },
});

const pageOf = (
  kind: "sign in" | "consent",
  interactionId: string,
  { uiLocales }: Pick<AuthorizationRequest, "uiLocales">,
): NextStep => {
  const value = { interactionId, uiLocales: uiLocales ?? null };
  return { step: kind === "sign in" ? { $case: "signIn", value } : { $case: "consent", value } };
};

/** An answer that we do not know counts as no membership. */
const toMembershipAnswer = (membership: Membership): MembershipAnswer => MEMBERSHIPS[membership] ?? "none";

const MEMBERSHIPS: Readonly<Partial<Record<Membership, MembershipAnswer>>> = {
  [Membership.MEMBERSHIP_MEMBER]: "member",
  [Membership.MEMBERSHIP_DISABLED]: "disabled",
  [Membership.MEMBERSHIP_SIGNED_OUT]: "signed out",
};
