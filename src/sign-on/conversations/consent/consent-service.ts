import type {
  ConsentPage,
  NextStep,
  ShowConsentRequest,
  ShowConsentResponse,
  SubmitConsentRequest,
  SubmitConsentResponse,
} from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { redirectOrigin } from "../../applications/redirect-uri.ts";
import { memberIdentity } from "../../claims/member-identity.ts";
import { scopesToApprove } from "../../claims/requested-claims.ts";
import { errorPageStep } from "../../interactions/authorization-response.ts";
import { formToken, isFormToken } from "../../interactions/form-token.ts";
import type { InteractionService, ProvenInteraction } from "../../interactions/interaction-service.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { refuse } from "../../refusals/refused.ts";
import type { SignOnSession } from "../../sessions/session-repository.ts";

interface ConsentDeps {
  readonly interactions: InteractionService;
  readonly workforce: PromiseClient<typeof SignInService>;
}

/** Shows the consent page, or the step that the sign-in needs instead. */
export const showConsent =
  ({ interactions, workforce }: ConsentDeps) =>
  async ({ proof }: ShowConsentRequest, call: RefusingCall): Promise<ShowConsentResponse> => {
    const found = await interactions.prove(proof, call);
    if ("nextStep" in found) return { answer: { $case: "nextStep", value: found.nextStep } };
    const { proven } = found;
    try {
      const nextStep = await interactions.advance(proven, {}, call);
      if (nextStep.step?.$case !== "consent" || proven.session === undefined)
        return { answer: { $case: "nextStep", value: nextStep } };
      const member = { ...proven.session, instanceId: proven.interaction.instanceId };
      const identity = await memberIdentity(workforce, member, call);
      return { answer: { $case: "page", value: consentPage(proven, proven.session, identity?.email ?? "") } };
    } catch (error) {
      return { answer: { $case: "nextStep", value: await interactions.fail(error, proven, call) } };
    }
  };

/**
 * Takes the person's decision. The form is valid only for the person whom the page was shown to, so that another person
 * cannot approve for them.
 */
export const submitConsent =
  ({ interactions }: ConsentDeps) =>
  async (request: SubmitConsentRequest, call: RefusingCall): Promise<SubmitConsentResponse> => {
    const found = await interactions.prove(request.proof, call);
    if ("nextStep" in found) return { nextStep: found.nextStep };
    const { proven } = found;
    const decided = decide(interactions, proven, request, call);
    return { nextStep: await decided.catch((error: unknown) => interactions.fail(error, proven, call)) };
  };

async function decide(
  interactions: InteractionService,
  proven: ProvenInteraction,
  request: SubmitConsentRequest,
  call: RefusingCall,
): Promise<NextStep> {
  // Without a session no person can approve: back to the beginning of this sign-in.
  if (proven.session === undefined) return interactions.advance(proven, {}, call);
  if (!isFormToken(request.formToken, tokenOf(proven, proven.session)))
    return errorPageStep("form.refused", call, { applicationId: proven.interaction.applicationId });
  return request.approved
    ? interactions.advance(proven, { consented: true }, call)
    : interactions.refuse(proven, refuse("consent.refused"), call);
}

const tokenOf = ({ interaction, secret }: ProvenInteraction, session: SignOnSession): string =>
  formToken(interaction.id, secret, { page: "consent", personId: session.personId });

const consentPage = (proven: ProvenInteraction, session: SignOnSession, email: string): ConsentPage => ({
  interactionId: proven.interaction.id,
  formToken: tokenOf(proven, session),
  applicationName: proven.application.name,
  redirectOrigin: redirectOrigin(proven.interaction.redirectUri),
  email,
  scopes: [...scopesToApprove(proven.interaction)],
});
