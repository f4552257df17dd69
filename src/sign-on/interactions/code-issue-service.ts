import type { NextStep } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Transaction } from "#runtime/database/database.ts";
import type { Application } from "../applications/application.ts";
import type { AuthorizationCode } from "../authorization-codes/authorization-code.ts";
import type { AuthorizationCodeRepository } from "../authorization-codes/authorization-code-repository.ts";
import { scopesToApprove } from "../claims/requested-claims.ts";
import type { ConsentRepository } from "../consents/consent-repository.ts";
import { digestOf } from "../digest.ts";
import type { RefusingCall } from "../refusals/noting.ts";
import type { ConsentingSession, SessionRepository, SignOnSession } from "../sessions/session-repository.ts";
import { isUseDue } from "../sessions/sessions.ts";
import type { SignOnTables } from "../tables.ts";
import type { FamilyNumbers } from "../token-numbers/family-number.ts";
import type { NumberedTokens } from "../token-numbers/numbered-tokens.ts";
import { codeParameters, errorPageStep, responseStep } from "./authorization-response.ts";
import type { AuthorizationRequest, Interaction } from "./interaction.ts";
import type { InteractionRepository } from "./interaction-repository.ts";
import { needOfConsent } from "./needs.ts";
import type { Progress } from "./sign-in-course-service.ts";

export interface CodeIssueDeps {
  readonly changes: Changes<SignOnTables>;
  readonly interactions: Pick<InteractionRepository, "end">;
  readonly sessionRepository: Pick<SessionRepository, "use">;
  readonly consents: Pick<ConsentRepository, "findScopes" | "grant">;
  readonly codes: Pick<AuthorizationCodeRepository, "create" | "createFor" | "find">;
  readonly clock: Clock;
  readonly numbers: FamilyNumbers;
  readonly tokens: Pick<NumberedTokens, "newCode">;
  readonly issuer: string;
}

type IssuedCode = Omit<AuthorizationCode, "number" | "digest">;

/** A code's text, with what is stored of it. */
interface NewCode extends Pick<AuthorizationCode, "number" | "digest"> {
  readonly code: string;
}

/** Why no code was issued after all: its session ended or its consent was withdrawn meanwhile. */
type Unissued = "session ended" | "consent withdrawn";

/**
 * Ends the interaction (if any) and issues the code in one transaction; a second submission of the same form finds it
 * ended, and so does a repeat after a lost commit, which gives out the code of the first try (R-X333). If the session
 * ended or the consent was withdrawn since they were read, no code is issued and the person is asked again.
 */
export function codeIssue({
  changes,
  interactions,
  sessionRepository,
  consents,
  codes,
  numbers,
  tokens,
  issuer,
  clock,
}: CodeIssueDeps) {
  const newCodeAt = (at: Date): NewCode => {
    const number = numbers.next(at);
    const code = tokens.newCode(number);
    return { number, code, digest: digestOf(code) };
  };

  /** Stores a code under a number that no other process has taken. */
  const create = async (db: Transaction<SignOnTables>, issued: IssuedCode): Promise<NewCode> => {
    for (;;) {
      const made = newCodeAt(issued.issuedAt);
      if (await codes.create(db, { ...issued, number: made.number, digest: made.digest })) return made;
    }
  };

  const isStored = async ({ number, digest }: NewCode, within?: Transaction<SignOnTables>): Promise<boolean> =>
    (await codes.find(number, within))?.digest.equals(digest) === true;

  /**
   * Issues a code to a session that returns, if nothing else has to be written: one statement, which holds session and
   * consent to what was read. `undefined` when they have changed; then the whole change says how.
   */
  const issueAtOnce = async (
    request: AuthorizationRequest,
    application: Application,
    session: ConsentingSession,
  ): Promise<string | undefined> => {
    const asked = needOfConsent(application, request, []) !== undefined;
    let made: NewCode | undefined;
    return changes.one(async ({ db, at, mayBeDone }) => {
      made ??= newCodeAt(at);
      const { number, code, digest } = made;
      const issued = { ...issuedTo(request, application, session, at), number, digest };
      if (await codes.createFor(db, issued, asked ? session.approvedScopes : undefined)) return code;
      return mayBeDone && (await isStored(made)) ? code : undefined;
    });
  };

  return async (
    request: AuthorizationRequest,
    application: Application,
    session: SignOnSession | ConsentingSession,
    interaction: Interaction | undefined,
    progress: Progress,
    call: RefusingCall,
  ): Promise<NextStep | Unissued> => {
    if (interaction === undefined && "approvedScopes" in session && !isUseDue(session, clock.now())) {
      const code = await issueAtOnce(request, application, session);
      if (code !== undefined) return responseStep(request, codeParameters(request, issuer, code), undefined);
    }
    const subject = { personId: session.personId, applicationId: application.id, instanceId: request.instanceId };
    let made: NewCode | undefined;
    const outcome = await changes.run<{ readonly code: string } | "interaction ended" | Unissued>(
      async ({ db, at, audit, mayBeDone }) => {
        if (!(await sessionRepository.use(db, session.digest, at))) return "session ended";
        // Withdrawing a consent locks the person's sessions, so this read is valid for the code.
        const asked = progress.consented !== true && needOfConsent(application, request, []) !== undefined;
        if (asked && needOfConsent(application, request, await consents.findScopes(subject, db)) !== undefined)
          return "consent withdrawn";
        if (interaction !== undefined && !(await interactions.end(db, interaction.id, at)))
          return mayBeDone && made !== undefined && (await isStored(made, db)) ? made : "interaction ended";
        if (progress.consented === true) {
          const approved = scopesToApprove(request);
          await consents.grant(db, subject, approved, at);
          const { applicationId, instanceId, personId } = subject;
          const facts = { application: applicationId, instance: instanceId, scopes: approved.join(" ") };
          await audit({ actor: personId, action: "consent.grant", object: personId, facts });
        }
        made = await create(db, issuedTo(request, application, session, at));
        return made;
      },
      { requestId: call.requestId, recognizesItself: true },
    );
    if (outcome === "session ended" || outcome === "consent withdrawn") return outcome;
    return outcome === "interaction ended"
      ? errorPageStep("interaction.gone", call, request)
      : responseStep(request, codeParameters(request, issuer, outcome.code), interaction?.id);
  };
}

const issuedTo = (
  request: AuthorizationRequest,
  { lifetimes }: Application,
  { personId, digest, authenticatedAt }: SignOnSession,
  at: Date,
): IssuedCode => ({
  ...request,
  personId,
  sessionDigest: digest,
  authenticatedAt,
  issuedAt: at,
  expiresAt: new Date(at.getTime() + lifetimes.authorizationCodeSeconds * 1000),
});
