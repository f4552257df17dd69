import type { AuthorizeRequest, AuthorizeResponse, NextStep } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import { readIdTokenHint } from "../../id-tokens/id-token-hint.ts";
import { errorPageStep, refusalStep } from "../../interactions/authorization-response.ts";
import type { AuthorizationRequest } from "../../interactions/interaction.ts";
import type { InteractionService } from "../../interactions/interaction-service.ts";
import type { ReportFault } from "../../interactions/reported-fault.ts";
import type { RefusingCall } from "../../refusals/noting.ts";
import { isAuthorizationRefusal, refuse } from "../../refusals/refused.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { SigningKeys } from "../../signing-keys/signing-keys.ts";
import { type ParsedRequest, parseAuthorizationRequest } from "./authorization-request.ts";
import { collectParameters, isMissing, isRepeated, type Parameters } from "./parameters.ts";
import { nameApplication, proveTarget } from "./proven-target.ts";
import type { RepeatedValues } from "./repeated-values.ts";

interface AuthorizeDeps extends HintDeps {
  readonly applications: ApplicationRepository;
  readonly sessions: Sessions;
  readonly interactions: InteractionService;
  readonly repeatedValues: RepeatedValues;
  readonly reportFault: ReportFault;
}

/**
 * Answers an authorization request. Application and redirect URI are proven first: until then a mistake or a fault gets
 * an error page, never a redirect (S1); after that it is an error at the redirect URI, with `state` and `iss` (R-X160).
 */
export const authorize =
  (deps: AuthorizeDeps) =>
  async (asked: AuthorizeRequest, call: RefusingCall): Promise<AuthorizeResponse> => {
    const { applications, sessions, interactions, repeatedValues, reportFault, issuer } = deps;
    const parameters = collectParameters(asked.parameters);

    const application = await nameApplication(applications, parameters);
    if (application === undefined) return { nextStep: unknownApplication(parameters, call) };
    const target = proveTarget(application, parameters);
    if (target === undefined) return { nextStep: unregisteredRedirectUri(parameters, call) };
    try {
      const parsed = parseAuthorizationRequest(parameters, target, asked.misplaced);
      const request = await withExpectedPerson(deps, parsed);
      repeatedValues(request);
      const from = { call, networkAddress: asked.networkAddress };
      if (asked.posted) return await interactions.keep(request, from);
      const access = { applicationId: application.id, instanceId: target.instanceId };
      const session = await sessions.findConsenting(asked.sessionSecret ?? undefined, access);
      return await interactions.begin(request, application, session, from);
    } catch (error) {
      if (!isAuthorizationRefusal(error)) return { nextStep: reportFault(error, target, call) };
      return { nextStep: refusalStep(target, issuer, error, call) };
    }
  };

function unknownApplication(parameters: Parameters, call: RefusingCall): NextStep {
  if (isMissing(parameters, "client_id")) return errorPageStep("client_id.missing", call);
  return errorPageStep(isRepeated(parameters, "client_id") ? "client_id.repeated" : "application.unknown", call);
}

function unregisteredRedirectUri(parameters: Parameters, call: RefusingCall): NextStep {
  if (isMissing(parameters, "redirect_uri")) return errorPageStep("redirect_uri.missing", call);
  return errorPageStep(
    isRepeated(parameters, "redirect_uri") ? "redirect_uri.repeated" : "redirect_uri.not_registered",
    call,
  );
}

interface HintDeps {
  readonly keys: Pick<SigningKeys, "hintVerifier">;
  readonly issuer: string;
}

/**
 * The request with the people who may sign in: the person of its `id_token_hint`, and those of `claims` (OIDC Core
 * §3.1.2.1, §5.5.1). An unreadable hint, for example one whose key was revoked, is ignored. With `prompt=none` it is
 * refused, since the application could not learn whether it is still the same person (R-X108).
 * @throws Refused login_required when no person fits all of these.
 */
async function withExpectedPerson(
  deps: HintDeps,
  { request, idTokenHint }: ParsedRequest,
): Promise<AuthorizationRequest> {
  const hint = idTokenHint === undefined ? undefined : await readIdTokenHint(deps, idTokenHint);
  if (idTokenHint !== undefined && hint === undefined && request.prompts.includes("none"))
    throw refuse("id_token_hint.unreadable");
  const expectedPersonIds = both(request.expectedPersonIds, hint === undefined ? undefined : [hint.personId]);
  if (expectedPersonIds?.length === 0) throw refuse("session.nobody_asked_for");
  return { ...request, expectedPersonIds };
}

const both = (
  one: readonly PersonId[] | undefined,
  other: readonly PersonId[] | undefined,
): readonly PersonId[] | undefined =>
  one === undefined || other === undefined ? (one ?? other) : one.filter((id) => other.includes(id));
