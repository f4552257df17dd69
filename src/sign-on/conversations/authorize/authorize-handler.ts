import type { AuthorizeRequest, BrowserService } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { EdgeRequest, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { edgeCall } from "../../browser/edge-call.ts";
import { refusedByPage } from "../../browser/edge-refusals.ts";
import { toParameters } from "../../browser/encoded-parameters.ts";
import { cookieHeaderOf, sessionSecretOf } from "../../browser/interaction-proof.ts";
import { type NextStepInput, type NextStepTools, nextStepResponse } from "../../browser/next-step-response.ts";
import { brokenForm, errorPageReply, failurePage } from "../../browser/page-operation.ts";
import { toMisplaced } from "./authorize-wire.ts";

type Browser = PromiseClient<typeof BrowserService>;

/**
 * GET /auth/authorize (spec §4.1). Unchecked by the contract's validator: a mistake must become a redirect or a page, and which of the
 * two only services can say.
 */
export const authorizeOperation = (browser: Browser, tools: NextStepTools): Operation<operations["authorize"]> => ({
  unchecked: true,
  async handle(request) {
    const sessionSecret = sessionSecretOf(request, tools);
    const parameters = toParameters(request.rawQuery);
    try {
      const input = await ask(browser, request, { parameters, sessionSecret, posted: false, misplaced: [] });
      return nextStepResponse(302, input, tools);
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  // Only what cannot be read at all arrives here: malformed percent-encoding, too many parameters, a body.
  invalid: async ({ requestId }) => unreadable(requestId, tools),
});

/** POST /auth/authorize (OIDC Core §3.1.2.1): by its cookies the browser is known only when it comes back by GET (R-S14). */
export const authorizeByPostOperation = (
  browser: Browser,
  tools: NextStepTools,
): Operation<operations["authorizeByPost"]> => ({
  unchecked: true,
  async handle(request) {
    const parameters = toParameters(request.rawForm);
    const misplaced = toMisplaced(toParameters(request.rawQuery));
    try {
      const input = await ask(browser, request, { parameters, sessionSecret: null, posted: true, misplaced });
      return nextStepResponse(303, input, tools);
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async ({ requestId }, parts) =>
    parts[0]?.in === "header" ? brokenForm(requestId, parts, tools) : unreadable(requestId, tools),
});

const unreadable = (requestId: string, tools: NextStepTools) =>
  refusedByPage("page.malformed", errorPageReply(400, { reason: "unreadable", requestId }, tools));

async function ask(
  browser: Browser,
  request: EdgeRequest,
  asked: Omit<AuthorizeRequest, "networkAddress">,
): Promise<NextStepInput> {
  const { requestId, remoteAddress: networkAddress } = request;
  const message = { ...asked, networkAddress };
  const { nextStep, interactionSecret } = await browser.authorize(message, edgeCall(request));
  return {
    nextStep,
    requestId,
    cookieHeader: cookieHeaderOf(request),
    interactionSecret: interactionSecret ?? undefined,
  };
}
