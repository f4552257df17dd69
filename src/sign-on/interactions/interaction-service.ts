import type { InteractionProof, NextStep } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { AuditEntry } from "#runtime/audit/audit.ts";
import { randomCharacters } from "#runtime/basis/ids.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { Application } from "../applications/application.ts";
import type { ApplicationRepository } from "../applications/application-repository.ts";
import { matchRedirectUri } from "../applications/redirect-uri.ts";
import { withinScopes } from "../claims/requested-claims.ts";
import { digestOf, sameDigest } from "../digest.ts";
import type { AuthorizationErrorCode } from "../refusals/check.ts";
import type { RefusingCall } from "../refusals/noting.ts";
import type { Refused } from "../refusals/refused.ts";
import type { ConsentingSession, SignOnSession } from "../sessions/session-repository.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { senderNetworkOf } from "../throttling/network.ts";
import { errorPageStep, refusalStep } from "./authorization-response.ts";
import { type CodeIssueDeps, codeIssue } from "./code-issue-service.ts";
import { type AuthorizationRequest, INTERACTION_LIFETIME_MS, type Interaction } from "./interaction.ts";
import type { InteractionRepository } from "./interaction-repository.ts";
import type { OpenInteractions } from "./open-interactions.ts";
import { isPassing, type ReportFault } from "./reported-fault.ts";
import { type Progress, type SignInCourseDeps, signInCourse } from "./sign-in-course-service.ts";

type InteractionDeps = SignInCourseDeps &
  CodeIssueDeps & {
    readonly interactions: InteractionRepository;
    readonly applications: ApplicationRepository;
    readonly sessions: Sessions;
    readonly reportFault: ReportFault;
    readonly open: OpenInteractions;
    readonly random: Random;
    /** How long a person may take to enter the password. */
    readonly unprovenLifetimeMs: number;
  };

/** Where an authorization request came from. */
interface From {
  readonly call: RefusingCall;
  readonly networkAddress: string;
}

/** An interaction that this browser has proven to be its own, with the application that asked. */
export interface ProvenInteraction {
  readonly interaction: Interaction;
  readonly application: Application;
  readonly secret: string;
  /** The browser's, if it is live. */
  readonly session: SignOnSession | undefined;
  /** The browser's, also one that is idle or has expired: a sign-in replaces it. */
  readonly unendedSession: SignOnSession | undefined;
}

type Proof = { readonly proven: ProvenInteraction } | { readonly nextStep: NextStep };

/** The course of a sign-in through all its pages; the only place that makes interactions, codes and next steps. */
export interface InteractionService {
  /**
   * Begins with a proven request: continues at once when no page is needed, otherwise stores an interaction and returns
   * its secret.
   */
  begin(
    request: AuthorizationRequest,
    application: Application,
    session: SignOnSession | ConsentingSession | undefined,
    from: From,
  ): Promise<{ nextStep: NextStep; interactionSecret?: string }>;
  /**
   * Stores a proven request until the browser comes back for it with its cookies, which a POST does not bring (R-S14).
   */
  keep(request: AuthorizationRequest, from: From): Promise<{ nextStep: NextStep; interactionSecret: string }>;
  /** Proves that a page or form belongs to an open interaction of this browser; otherwise the error page that says why. */
  prove(proof: InteractionProof | null, call: RefusingCall): Promise<Proof>;
  /** What comes next after a page. */
  advance(proven: ProvenInteraction, progress: Progress, call: RefusingCall): Promise<NextStep>;
  /** A person who has entered the password has an hour in all for the rest, also before the next page is known (R-X154). */
  prolong(proven: Pick<ProvenInteraction, "interaction">, call: RefusingCall): Promise<void>;
  /** Ends the interaction with an error for the application. */
  refuse(proven: ProvenInteraction, refused: Refused<AuthorizationErrorCode>, call: RefusingCall): Promise<NextStep>;
  /**
   * Ends the interaction with a fault of Gatehouse, reported to the application (R-X160).
   * @throws the fault itself when it is temporary: then the person tries again, and the sign-in continues.
   */
  fail(error: unknown, proven: Pick<ProvenInteraction, "interaction">, call: RefusingCall): Promise<NextStep>;
}

export function interactionService(deps: InteractionDeps): InteractionService {
  const {
    changes,
    interactions,
    applications,
    sessions,
    open,
    unprovenLifetimeMs,
    reportFault,
    issuer,
    clock,
    random,
  } = deps;
  const course = signInCourse(deps);
  const finish = codeIssue(deps);

  const refuse: InteractionService["refuse"] = async ({ interaction, session }, refused, call) => {
    let triedAt: Date | undefined;
    const ended = await changes.run(
      async ({ db, at, audit, mayBeDone }) => {
        const first = await interactions.end(db, interaction.id, at);
        if (!first && mayBeDone && triedAt !== undefined) return interactions.hasEndedAt(db, interaction.id, triedAt);
        triedAt = at;
        if (first && isOutcome(interaction, refused) && session !== undefined)
          await audit(refusedEntry(interaction, session, refused));
        return first;
      },
      { requestId: call.requestId, recognizesItself: true },
    );
    open.release(interaction.id);
    return ended
      ? refusalStep(interaction, issuer, refused, call, interaction.id)
      : errorPageStep("interaction.gone", call, interaction);
  };

  const fail: InteractionService["fail"] = async (error, { interaction }, call) => {
    if (isPassing(error)) throw error;
    const step = reportFault(error, interaction, call, interaction.id);
    // The store itself may have failed: then the interaction expires later, and the application still gets the error.
    await changes
      .run(({ db, at }) => interactions.end(db, interaction.id, at), {
        requestId: call.requestId,
        recognizesItself: true,
      })
      .catch(() => undefined);
    open.release(interaction.id);
    return step;
  };

  const create = async (request: AuthorizationRequest, requestedAt: Date, { call, networkAddress }: From) => {
    const secret = newSecret(random);
    const id = randomCharacters(random, 22);
    const expiresAt = new Date(requestedAt.getTime() + unprovenLifetimeMs);
    const interaction = { ...request, id, secretDigest: digestOf(secret), createdAt: requestedAt, expiresAt };
    const network = senderNetworkOf(networkAddress);
    await open.add({ id, network, expiresAt }, requestedAt, (displaced) =>
      changes.run(
        async ({ db }) => {
          await interactions.create(db, interaction);
          for (const one of displaced) await interactions.giveUp(db, one);
        },
        { requestId: call.requestId, recognizesItself: true },
      ),
    );
    return { id, secret };
  };

  // Longer than an unproven one in any case: another process that gives that one up knows it by its end.
  const lifetimeMs = Math.max(INTERACTION_LIFETIME_MS, unprovenLifetimeMs + 1);

  const prolong: InteractionService["prolong"] = async ({ interaction }, { requestId }) => {
    const { id, createdAt, expiresAt } = interaction;
    open.release(id);
    const whole = new Date(createdAt.getTime() + lifetimeMs);
    if (whole > expiresAt)
      await changes.run(({ db }) => interactions.prolong(db, id, whole), { requestId, recognizesItself: true });
  };

  const service: InteractionService = {
    async begin(request, application, session, from) {
      const { call } = from;
      const requestedAt = clock.now();
      const found = await course(request, application, session, requestedAt, {}, call);
      if ("ready" in found) {
        const finished = await finish(request, application, found.ready, undefined, {}, call);
        return typeof finished === "string"
          ? service.begin(request, application, finished === "session ended" ? undefined : asOfNow(session), from)
          : { nextStep: finished };
      }
      if (found.need.kind === "refuse") {
        const { refused } = found.need;
        if (isOutcome(request, refused) && session !== undefined) {
          const entry = refusedEntry(request, session, refused);
          await changes.run(({ audit }) => audit(entry), { requestId: call.requestId });
        }
        return { nextStep: refusalStep(request, issuer, refused, call) };
      }
      const { id, secret } = await create(request, requestedAt, from);
      return { nextStep: pageOf(found.need.kind, id, request), interactionSecret: secret };
    },

    async keep(request, from) {
      const { id, secret } = await create(request, clock.now(), from);
      return { nextStep: pageOf("sign in", id, request), interactionSecret: secret };
    },

    async prove(proof, call) {
      const { interactionId = "", interactionSecret = "", sessionSecret } = proof ?? {};
      const stored = await interactions.findOpen(interactionId, clock.now());
      if (stored === undefined) {
        const redirectUri = await interactions.findRedirectUri(interactionId);
        return { nextStep: errorPageStep("interaction.gone", call, { redirectUri }) };
      }
      if (!sameDigest(digestOf(interactionSecret), stored.secretDigest)) {
        const redirectUri = await interactions.findRedirectUri(interactionId);
        return { nextStep: errorPageStep("interaction.elsewhere", call, { redirectUri }) };
      }
      await open.seen(stored.id, (displaced) =>
        changes.run(async ({ db }) => {
          for (const one of displaced) await interactions.giveUp(db, one);
        }),
      );
      const { applicationId } = stored;
      const application = await applications.find(applicationId);
      if (application === undefined) return { nextStep: errorPageStep("application.unknown", call, { applicationId }) };
      // A redirect URI that was removed since the request gets no redirect (S1).
      const registered = matchRedirectUri(application.redirectUris, application.kind, stored.redirectUri);
      if (registered?.instanceId !== stored.instanceId)
        return { nextStep: errorPageStep("redirect_uri.not_registered", call, { applicationId }) };
      // As a new request would be read: single claims of a scope that was lost since are omitted (R-X109, R-X131).
      const interaction = { ...stored, claims: withinScopes(stored.claims, application.scopes) };
      try {
        const unendedSession = await sessions.findUnended(sessionSecret ?? undefined);
        const session = sessions.liveOf(unendedSession);
        return { proven: { interaction, application, secret: interactionSecret, session, unendedSession } };
      } catch (error) {
        return { nextStep: await fail(error, { interaction }, call) };
      }
    },

    async advance(proven, progress, call) {
      const { interaction, application, session } = proven;
      const found = await course(interaction, application, session, interaction.createdAt, progress, call);
      if ("ready" in found) {
        const finished = await finish(interaction, application, found.ready, interaction, progress, call);
        open.release(interaction.id);
        return typeof finished === "string"
          ? service.advance({ ...proven, session: finished === "session ended" ? undefined : session }, {}, call)
          : finished;
      }
      const { need } = found;
      if (need.kind === "consent") await prolong(proven, call);
      return need.kind === "refuse"
        ? refuse(proven, need.refused, call)
        : pageOf(need.kind, interaction.id, interaction);
    },

    prolong,
    refuse,
    fail,
  };
  return service;
}

/** The session without what was read together with it, so that it is read again. */
const asOfNow = (session: SignOnSession | ConsentingSession | undefined): SignOnSession | undefined => {
  if (session === undefined || !("approvedScopes" in session)) return session;
  const { approvedScopes: _before, ...rest } = session;
  return rest;
};

/** False where the application only looked with `prompt=none`, and a page is needed: that is no outcome to audit. */
const isOutcome = ({ prompts }: AuthorizationRequest, { error }: Refused<AuthorizationErrorCode>): boolean =>
  error === "access_denied" || !prompts.includes("none");

/** The audit entry of a signed-in person who was refused, or who declined. */
const refusedEntry = (
  { applicationId, instanceId }: AuthorizationRequest,
  { personId }: SignOnSession,
  { error, sentence }: Refused<AuthorizationErrorCode>,
): AuditEntry => ({
  actor: personId,
  action: "authorization.refuse",
  object: applicationId,
  facts: { instance: instanceId, because: sentence, error },
});

/** The page of a sign-in, by its kind. */
export const pageOf = (
  kind: "sign in" | "consent",
  interactionId: string,
  { uiLocales }: Pick<AuthorizationRequest, "uiLocales">,
): NextStep => {
  const value = { interactionId, uiLocales: uiLocales ?? null };
  return { step: kind === "sign in" ? { $case: "signIn", value } : { $case: "consent", value } };
};
