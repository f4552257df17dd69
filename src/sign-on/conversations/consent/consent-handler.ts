import type { BrowserService, ConsentPage } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { edgeCall } from "../../browser/edge-call.ts";
import { refusedByPage } from "../../browser/edge-refusals.ts";
import { isOwnForm } from "../../browser/form-origin.ts";
import { cookieHeaderOf, interactionProof } from "../../browser/interaction-proof.ts";
import { type NextStepTools, nextStepResponse, pageAddress } from "../../browser/next-step-response.ts";
import type { PageLanguage } from "../../browser/page-language.ts";
import { brokenForm, errorPageReply, failurePage, formRefused, page } from "../../browser/page-operation.ts";
import { consentPage } from "./consent-page.ts";

type Browser = PromiseClient<typeof BrowserService>;

export interface ConsentTools extends NextStepTools {
  readonly issuer: string;
}

const render = ({ interactionId, ...values }: ConsentPage, language: PageLanguage): string =>
  consentPage({ ...values, action: pageAddress("/auth/consent", interactionId, language) }, language.texts);

/** GET /auth/consent. */
export const showConsentOperation = (browser: Browser, tools: ConsentTools): Operation<operations["showConsent"]> => ({
  async handle(request) {
    const { requestId } = request;
    const proof = interactionProof(request, request.query.interaction, tools.cookies);
    try {
      const { answer } = await browser.showConsent({ proof }, edgeCall(request));
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

/** POST /auth/consent. */
export const submitConsentOperation = (
  browser: Browser,
  tools: ConsentTools,
): Operation<operations["submitConsent"]> => ({
  async handle(request) {
    const { requestId, body } = request;
    const cookieHeader = cookieHeaderOf(request);
    if (!isOwnForm(request, tools.issuer))
      return refusedByPage(
        "form.refused",
        nextStepResponse(303, { nextStep: formRefused, requestId, cookieHeader }, tools),
      );
    const proof = interactionProof(request, request.query.interaction, tools.cookies);
    try {
      const form = { proof, formToken: body.form_token, approved: body.decision === "approve" };
      const { nextStep } = await browser.submitConsent(form, edgeCall(request));
      return nextStepResponse(303, { nextStep, requestId, cookieHeader }, tools);
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async ({ requestId }, parts) => brokenForm(requestId, parts, tools),
});
