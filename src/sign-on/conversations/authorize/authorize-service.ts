import {
  type AuthorizeRequest,
  type AuthorizeResponse,
  ErrorPageReason,
} from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import { matchRedirectUri } from "../../applications/redirect-uri.ts";
import { errorLocation } from "../../interactions/authorization-response.ts";
import { errorPage, type InteractionService } from "../../interactions/interaction-service.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { type Parameters, parseAuthorizationRequest } from "./authorization-request.ts";

interface AuthorizeDeps {
  readonly applications: ApplicationRepository;
  readonly sessions: Sessions;
  readonly interactions: InteractionService;
  readonly issuer: string;
}

/**
 * Answers an authorization request. Application and redirect URI are proven first: until then a mistake is a page, never a redirect
 * (S1); from then on it is an error at the redirect URI, with `state` and `iss`.
 */
export const authorize =
  ({ applications, sessions, interactions, issuer }: AuthorizeDeps) =>
  async (request: AuthorizeRequest, call: Call): Promise<AuthorizeResponse> => {
    const parameters = collect(request.parameters);

    const application = await applications.find(single(parameters, "client_id") ?? "");
    if (application === undefined)
      return { nextStep: errorPage(ErrorPageReason.ERROR_PAGE_REASON_UNKNOWN_APPLICATION) };

    const redirectUri = single(parameters, "redirect_uri") ?? "";
    const registered = matchRedirectUri(application.redirectUris, application.kind, redirectUri);
    if (registered === undefined)
      return { nextStep: errorPage(ErrorPageReason.ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI) };

    const target = { redirectUri, instanceId: registered.instanceId };
    const parsed = parseAuthorizationRequest(parameters, application, target);
    if ("refused" in parsed) {
      const { error, description } = parsed.refused;
      const location = errorLocation({ redirectUri, state: single(parameters, "state") }, issuer, error, description);
      return { nextStep: { step: { $case: "redirect", value: { location } } } };
    }

    const session = await sessions.find(request.sessionSecret ?? undefined);
    return interactions.begin(parsed.request, application, session, call.requestId);
  };

const collect = (parameters: AuthorizeRequest["parameters"]): Parameters => {
  const grouped = Map.groupBy(parameters, ({ name }) => name);
  return new Map([...grouped].map(([name, all]) => [name, all.map(({ value }) => value)]));
};

/** The value of a parameter that stands exactly once. */
const single = (parameters: Parameters, name: string): string | undefined => {
  const values = parameters.get(name) ?? [];
  return values.length === 1 ? values[0] : undefined;
};
