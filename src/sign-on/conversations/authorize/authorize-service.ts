import {
  type AuthorizeRequest,
  type AuthorizeResponse,
  ErrorPageReason,
} from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import { errorPage, errorParameters, responseStep } from "../../interactions/authorization-response.ts";
import type { InteractionService } from "../../interactions/interaction-service.ts";
import type { TellFault } from "../../interactions/told-fault.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { senderNetworkOf } from "../../throttling/network.ts";
import { parseAuthorizationRequest } from "./authorization-request.ts";
import { type HintDeps, withExpectedPerson } from "./expected-person.ts";
import { collectParameters } from "./parameters.ts";
import { nameApplication, proveTarget } from "./proven-target.ts";
import type { RepeatedValues } from "./repeated-values.ts";
import { RequestRefused } from "./request-refused.ts";

interface AuthorizeDeps extends HintDeps {
  readonly applications: ApplicationRepository;
  readonly sessions: Sessions;
  readonly interactions: InteractionService;
  readonly repeatedValues: RepeatedValues;
  readonly tellFault: TellFault;
}

/**
 * Answers an authorization request. Application and redirect URI are proven first: until then a mistake or a fault is a page, never a
 * redirect (S1); from then on it is an error at the redirect URI, with `state` and `iss` (R-X160).
 */
export const authorize =
  (deps: AuthorizeDeps) =>
  async (asked: AuthorizeRequest, call: Call): Promise<AuthorizeResponse> => {
    const { applications, sessions, interactions, repeatedValues, tellFault, issuer } = deps;
    const parameters = collectParameters(asked.parameters);

    const application = await nameApplication(applications, parameters);
    if (application === undefined)
      return { nextStep: errorPage(ErrorPageReason.ERROR_PAGE_REASON_UNKNOWN_APPLICATION) };
    const target = proveTarget(application, parameters);
    if (target === undefined)
      return { nextStep: errorPage(ErrorPageReason.ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI) };
    try {
      const parsed = parseAuthorizationRequest(parameters, target, asked.misplaced);
      const request = await withExpectedPerson(deps, parsed);
      repeatedValues(request);
      const from = { requestId: call.requestId, network: senderNetworkOf(asked.networkAddress) };
      if (asked.posted) return await interactions.keep(request, from);
      const session = await sessions.find(asked.sessionSecret ?? undefined);
      return await interactions.begin(request, application, session, from);
    } catch (error) {
      if (!(error instanceof RequestRefused)) return { nextStep: tellFault(error, target, call) };
      const refusal = errorParameters(target, issuer, error.error, error.description);
      return { nextStep: responseStep(target, refusal, undefined) };
    }
  };
