import {
  ErrorPageReason,
  type LoginPage,
  type ShowLoginRequest,
  type ShowLoginResponse,
  type SubmitLoginRequest,
  type SubmitLoginResponse,
} from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { redirectOrigin } from "../../applications/redirect-uri.ts";
import type { CredentialRepository } from "../../credentials/credential-repository.ts";
import type { Passwords } from "../../credentials/passwords.ts";
import { formToken, isFormToken } from "../../interactions/form-token.ts";
import { errorPage, type InteractionService, type ProvenInteraction } from "../../interactions/interaction-service.ts";
import { needOfSignIn } from "../../interactions/next-step.ts";
import type { SessionRepository } from "../../sessions/session-repository.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { SignOuts } from "../../sign-outs/sign-out-service.ts";
import type { SignOnTables } from "../../tables.ts";

export interface LoginDeps {
  readonly interactions: InteractionService;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly credentials: Pick<CredentialRepository, "holdPasswordHash">;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly sessionRepository: SessionRepository;
  readonly signOuts: Pick<SignOuts, "replace">;
  readonly changes: Changes<SignOnTables>;
  readonly clock: Clock;
}

/** Shows the login page, or goes on when the person has signed in meanwhile, for example in another tab. */
export const showLogin =
  ({ interactions, clock }: LoginDeps) =>
  async ({ proof }: ShowLoginRequest, call: Call): Promise<ShowLoginResponse> => {
    const found = await interactions.prove(proof);
    if ("nextStep" in found) return { answer: { $case: "nextStep", value: found.nextStep } };
    const { interaction, session } = found.proven;
    const need = needOfSignIn(interaction, session, { requestedAt: interaction.createdAt, now: clock.now() });
    if (need?.kind === "sign in")
      return { answer: { $case: "page", value: loginPage(found.proven, interaction.loginHint ?? "", false) } };
    return { answer: { $case: "nextStep", value: await interactions.advance(found.proven, {}, call.requestId) } };
  };

/**
 * Checks e-mail and password; on success a new session replaces the browser's old one (S12). An unknown person, a wrong password and a
 * disabled person get one answer at one cost (R-S17).
 * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when too many passwords are being checked.
 */
export const submitLogin =
  (deps: LoginDeps) =>
  async (request: SubmitLoginRequest, call: Call): Promise<SubmitLoginResponse> => {
    const { interactions, workforce, passwords } = deps;
    const found = await interactions.prove(request.proof);
    if ("nextStep" in found) return { answer: { $case: "nextStep", value: found.nextStep } };
    const { proven } = found;
    if (!isFormToken(request.formToken, tokenOf(proven))) {
      return { answer: { $case: "nextStep", value: errorPage(ErrorPageReason.ERROR_PAGE_REASON_FORM_REFUSED) } };
    }

    const { personId, disabled } = await workforce.findPerson({ email: request.email }, { requestId: call.requestId });
    const matched = await passwords.match((personId ?? undefined) as PersonId | undefined, request.password);
    const begun =
      typeof personId !== "string" || disabled || matched === undefined
        ? undefined
        : await beginSession(deps, proven, { personId: personId as PersonId, matched }, call);
    if (begun === undefined) return { answer: { $case: "page", value: loginPage(proven, request.email, true) } };

    const { session, secret } = begun;
    const nextStep = await interactions.advance({ ...proven, session }, {}, call.requestId);
    return { answer: { $case: "nextStep", value: nextStep }, sessionSecret: secret };
  };

/** Begins the session, unless the password was changed while it was being checked: a new one ends sessions, this one included. */
async function beginSession(
  { sessions, sessionRepository, signOuts, credentials, changes, clock }: LoginDeps,
  proven: ProvenInteraction,
  { personId, matched }: { readonly personId: PersonId; readonly matched: string },
  call: Call,
) {
  const begun = sessions.begin(personId, clock.now());
  return changes.run(
    async ({ db, at, audit }) => {
      if (!(await credentials.holdPasswordHash(db, personId, matched))) return undefined;
      if (proven.session !== undefined) await signOuts.replace(db, proven.session, begun.session, at);
      await sessionRepository.create(db, begun.session);
      await audit({
        actor: personId,
        action: "session.begin",
        object: personId,
        facts: { application: proven.application.id },
      });
      return begun;
    },
    { requestId: call.requestId },
  );
}

const tokenOf = ({ interaction, secret }: ProvenInteraction): string =>
  formToken(interaction.id, secret, { page: "login" });

const loginPage = (proven: ProvenInteraction, email: string, refused: boolean): LoginPage => ({
  interactionId: proven.interaction.id,
  formToken: tokenOf(proven),
  applicationName: proven.application.name,
  email,
  refused,
  redirectOrigin: redirectOrigin(proven.interaction.redirectUri),
});
