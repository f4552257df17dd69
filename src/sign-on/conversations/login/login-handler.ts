import type { BrowserService, LoginPage } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { deviceProofOf } from "../../browser/device-cookie.ts";
import { edgeCall } from "../../browser/edge-call.ts";
import { refusedByPage } from "../../browser/edge-refusals.ts";
import { isOwnForm } from "../../browser/form-origin.ts";
import { cookieHeaderOf, interactionProof } from "../../browser/interaction-proof.ts";
import { type NextStepTools, nextStepResponse, pageAddress } from "../../browser/next-step-response.ts";
import type { PageLanguage } from "../../browser/page-language.ts";
import { brokenForm, errorPageReply, failurePage, formRefused, page } from "../../browser/page-operation.ts";
import { senderOf } from "../../browser/sender.ts";
import { loginPage } from "./login-page.ts";

type Browser = PromiseClient<typeof BrowserService>;

export interface LoginTools extends NextStepTools {
  readonly issuer: string;
}

const render = ({ interactionId, redirectOrigin: _, ...values }: LoginPage, language: PageLanguage): string =>
  loginPage({ ...values, action: pageAddress("/auth/login", interactionId, language) }, language.texts);

/** The page after an attempt that failed, or that was not looked at (429). */
const refusedPage = (value: LoginPage, language: PageLanguage) => {
  const { waitSeconds, redirectOrigin } = value;
  const markup = render(value, language);
  if (typeof waitSeconds !== "number") return page(400, markup, redirectOrigin);
  const { headers, ...reply } = page(429, markup, redirectOrigin);
  return { ...reply, headers: { ...headers, "retry-after": String(waitSeconds) } };
};

/** GET /auth/login. */
export const showLoginOperation = (browser: Browser, tools: LoginTools): Operation<operations["showLogin"]> => ({
  async handle(request) {
    const { requestId } = request;
    const proof = interactionProof(request, request.query.interaction, tools.cookies);
    try {
      const { answer } = await browser.showLogin({ proof }, edgeCall(request));
      if (answer?.$case === "page") return page(200, render(answer.value, tools), answer.value.redirectOrigin);
      return nextStepResponse(
        303,
        { nextStep: answer?.value ?? null, requestId, cookieHeader: cookieHeaderOf(request) },
        tools,
      );
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async ({ requestId }) =>
    refusedByPage(
      "page.malformed",
      errorPageReply(400, { reason: "ERROR_PAGE_REASON_INTERACTION_GONE", requestId }, tools),
    ),
});

/** POST /auth/login. A refused attempt is the page again, with status 400, after too many 429 (R-S17). */
export const submitLoginOperation = (browser: Browser, tools: LoginTools): Operation<operations["submitLogin"]> => ({
  async handle(request) {
    const { requestId, body } = request;
    const cookieHeader = cookieHeaderOf(request);
    if (!isOwnForm(request, tools.issuer))
      return refusedByPage(
        "form.refused",
        nextStepResponse(303, { nextStep: formRefused, requestId, cookieHeader }, tools),
      );
    const proof = interactionProof(request, request.query.interaction, tools.cookies);
    const { form_token: formToken, email, password } = body;
    const deviceProof = deviceProofOf(request, tools);
    const form = { proof, formToken, email, password, sender: senderOf(request), deviceProof };
    try {
      const { answer, sessionSecret, deviceProof: newProof } = await browser.submitLogin(form, edgeCall(request));
      if (answer?.$case === "page") return refusedPage(answer.value, tools);
      const input = {
        nextStep: answer?.value ?? null,
        requestId,
        cookieHeader,
        sessionSecret: sessionSecret ?? undefined,
        deviceProof: newProof ?? undefined,
      };
      return nextStepResponse(303, input, tools);
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async ({ requestId }, parts) => brokenForm(requestId, parts, tools),
});
