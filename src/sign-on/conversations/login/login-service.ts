import type {
  LoginPage,
  NextStep,
  ShowLoginRequest,
  ShowLoginResponse,
  SubmitLoginRequest,
  SubmitLoginResponse,
} from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { EMAIL_LENGTH_MAX } from "#runtime/basis/email-address.ts";
import { redirectOrigin } from "../../applications/redirect-uri.ts";
import { errorPageStep } from "../../interactions/authorization-response.ts";
import { formToken, isFormToken } from "../../interactions/form-token.ts";
import { type InteractionService, type ProvenInteraction, pageOf } from "../../interactions/interaction-service.ts";
import { needOfSignIn } from "../../interactions/needs.ts";
import { isPassing } from "../../interactions/reported-fault.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { type PasswordSignInDeps, signInWithPassword } from "../../sign-ins/password-sign-in-service.ts";

interface ShowLoginDeps {
  readonly interactions: InteractionService;
  readonly clock: Clock;
}

interface LoginDeps extends PasswordSignInDeps {
  readonly interactions: InteractionService;
}

/**
 * Shows the login page, or continues when the person has signed in meanwhile, for example in another tab. A person who
 * asks for another account gets the page in any case, with no address filled in; the session ends when they sign in
 * (R-X205).
 */
export const showLogin =
  ({ interactions, clock }: ShowLoginDeps) =>
  async ({ proof, otherAccount }: ShowLoginRequest, call: RefusingCall): Promise<ShowLoginResponse> => {
    const found = await interactions.prove(proof, call);
    if ("nextStep" in found) return { answer: { $case: "nextStep", value: found.nextStep } };
    if (otherAccount) return { answer: { $case: "page", value: loginPage(found.proven, "", false) } };
    const { interaction, session } = found.proven;
    const need = needOfSignIn(interaction, session, { requestedAt: interaction.createdAt, now: clock.now() });
    if (need?.kind === "sign in")
      return { answer: { $case: "page", value: loginPage(found.proven, filledIn(interaction), false) } };
    const advanced = interactions.advance(found.proven, {}, call);
    const value = await advanced.catch((error: unknown) => interactions.fail(error, found.proven, call));
    return { answer: { $case: "nextStep", value } };
  };

/**
 * Checks e-mail and password and continues; a refused attempt shows the same page for every reason (R-S17).
 * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when too many passwords are being checked.
 */
export const submitLogin = (deps: LoginDeps) => {
  const { interactions } = deps;
  const signIn = signInWithPassword(deps);
  return async (request: SubmitLoginRequest, call: RefusingCall): Promise<SubmitLoginResponse> => {
    const found = await interactions.prove(request.proof, call);
    if ("nextStep" in found) return { answer: { $case: "nextStep", value: found.nextStep } };
    const { proven } = found;
    if (!isFormToken(request.formToken, tokenOf(proven))) {
      return {
        answer: {
          $case: "nextStep",
          value: errorPageStep("form.refused", call, { applicationId: proven.interaction.applicationId }),
        },
      };
    }
    const { applicationId, instanceId, createdAt: requestedAt } = proven.interaction;
    const { email, password, sender } = request;
    const findOldSession = async () => proven.unendedSession;
    const sessionSecret = request.proof?.sessionSecret ?? undefined;
    const attempt = { applicationId, instanceId, sender, email, password, requestedAt, findOldSession, sessionSecret };
    const judged = signIn({ ...attempt, deviceProof: request.deviceProof ?? undefined }, call);
    const signedIn = await judged.catch((error: unknown) => interactions.fail(error, proven, call));
    if ("step" in signedIn) return { answer: { $case: "nextStep", value: signedIn } };
    if (signedIn.outcome === "throttled") {
      const value = { ...loginPage(proven, email, false), waitSeconds: Math.ceil(signedIn.waitMs / 1_000) };
      return { answer: { $case: "page", value } };
    }
    if (signedIn.outcome === "refused") return { answer: { $case: "page", value: loginPage(proven, email, true) } };
    const { session, secret, deviceProof } = signedIn;
    const value = await interactions
      .advance({ ...proven, session }, { signedIn: true }, call)
      .catch((error: unknown) => afterPassword(interactions, error, proven, call));
    return { answer: { $case: "nextStep", value }, sessionSecret: secret, deviceProof: deviceProof ?? null };
  };
};

/**
 * The password was right, so its session is kept: after a temporary fault the login page continues with it, or offers
 * to try again.
 */
const afterPassword = async (
  interactions: InteractionService,
  error: unknown,
  proven: ProvenInteraction,
  call: RefusingCall,
): Promise<NextStep> => {
  if (!isPassing(error)) return interactions.fail(error, proven, call);
  // The store itself may have failed: then the page waits for as long as before the password.
  await interactions.prolong(proven, call).catch(() => undefined);
  return pageOf("sign in", proven.interaction.id, proven.interaction);
};

/** The hint, unless it is longer than any address, and so no person's (R-X381). */
const filledIn = ({ loginHint = "" }: ProvenInteraction["interaction"]): string =>
  loginHint.length > EMAIL_LENGTH_MAX ? "" : loginHint;

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
