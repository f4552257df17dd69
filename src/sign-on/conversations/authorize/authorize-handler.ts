import type { AuthorizeRequest, BrowserService, Parameter } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { EdgeRequest, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { AUTHORIZATION_PARAMETERS } from "../../authorization-parameters.ts";
import { sessionSecretOf } from "../../browser/cookies.ts";
import { toParameters } from "../../browser/edge-call.ts";
import { nextStepResponse } from "../../browser/next-step-response.ts";
import { errorPageReply, type PageTools, showOperation, submitOperation } from "../../browser/page-operation.ts";

type Browser = PromiseClient<typeof BrowserService>;

/**
 * GET /auth/authorize (spec §4.1). The contract's validator does not check it: a mistake becomes a redirect or a page,
 * and only services can decide which.
 */
export const authorizeOperation = (browser: Browser, tools: PageTools): Operation<operations["authorize"]> => ({
  unchecked: true,
  ...showOperation(tools, {
    show: async (request, call) =>
      nextStepResponse(302, await browser.authorize(byGet(request, tools), call), request, tools),
    // Only unreadable requests arrive here: malformed percent-encoding, too many parameters, a body.
    unreadable: (request) => unreadable(request, tools),
  }),
});

/** POST /auth/authorize (OIDC Core §3.1.2.1): the browser sends its cookies only when it comes back by GET (R-S14). */
export const authorizeByPostOperation = (
  browser: Browser,
  tools: PageTools,
): Operation<operations["authorizeByPost"]> => ({
  unchecked: true,
  ...submitOperation(tools, {
    // Forms of applications.
    isAllowed: () => true,
    submit: async (request, call) =>
      nextStepResponse(303, await browser.authorize(byPost(request), call), request, tools),
    refused: (request) => unreadable(request, tools),
  }),
});

const byGet = (request: EdgeRequest, tools: PageTools): AuthorizeRequest => ({
  parameters: toParameters(request.rawQuery),
  sessionSecret: sessionSecretOf(request, tools),
  posted: false,
  misplaced: [],
  networkAddress: request.remoteAddress,
});

const byPost = ({ rawQuery, rawForm, remoteAddress }: EdgeRequest): AuthorizeRequest => ({
  parameters: toParameters(rawForm),
  sessionSecret: null,
  posted: true,
  misplaced: toMisplaced(toParameters(rawQuery)),
  networkAddress: remoteAddress,
});

const unreadable = ({ requestId }: EdgeRequest, tools: PageTools) =>
  errorPageReply(400, { reason: "unreadable", requestId }, tools);

/** Names of known parameters in the address of a POST; they belong in the body. */
const toMisplaced = (inAddress: readonly Parameter[]): string[] => {
  const names = new Set(inAddress.map(({ name }) => name));
  return AUTHORIZATION_PARAMETERS.filter((name) => names.has(name));
};
