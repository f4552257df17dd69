import type { BrowserService } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { cookieHeaderOf } from "../../browser/interaction-proof.ts";
import { type NextStepTools, nextStepResponse } from "../../browser/next-step-response.ts";
import { errorPageReply, failurePage } from "../../browser/page-operation.ts";
import { toParameters } from "./authorize-wire.ts";

/**
 * GET /auth/authorize (spec §4.1). Unchecked by the contract's validator: a mistake must become a redirect or a page, and which of the
 * two only services can say.
 */
export const authorizeOperation = (
  browser: PromiseClient<typeof BrowserService>,
  tools: NextStepTools,
): Operation<operations["authorize"]> => ({
  unchecked: true,
  async handle(request) {
    const { requestId, trace } = request;
    const cookieHeader = cookieHeaderOf(request);
    const sessionSecret = tools.cookies.read(cookieHeader, tools.cookies.session) ?? null;
    try {
      const { nextStep, interactionSecret } = await browser.authorize(
        { parameters: toParameters(request.rawQuery), sessionSecret },
        { requestId, metadata: trace },
      );
      return nextStepResponse(
        302,
        { nextStep, requestId, cookieHeader, interactionSecret: interactionSecret ?? undefined },
        tools,
      );
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  // Only what cannot be read at all arrives here: malformed percent-encoding, too many parameters, a body.
  invalid: async ({ requestId }) => errorPageReply(400, { reason: "unreadable", requestId }, tools),
});
