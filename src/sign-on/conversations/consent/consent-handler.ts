import type { BrowserService, ConsentPage } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { scriptAddress } from "#runtime/pages/page-headers.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { interactionProof } from "../../browser/cookies.ts";
import { nextStepResponse, pageAddress } from "../../browser/next-step-response.ts";
import type { PageLanguage } from "../../browser/page-language.ts";
import { errorPageReply, type PageTools, page, showOperation, submitOperation } from "../../browser/page-operation.ts";
import { consentPage } from "./consent-page.ts";

type Browser = PromiseClient<typeof BrowserService>;

const render = ({ interactionId, ...values }: ConsentPage, language: PageLanguage): string =>
  consentPage(
    {
      ...values,
      action: pageAddress("/auth/consent", interactionId, language),
      otherAccount: `${pageAddress("/auth/login", interactionId, language)}&account=other`,
    },
    language.texts,
  );

/** GET /auth/consent. */
export const showConsentOperation = (browser: Browser, tools: PageTools): Operation<operations["showConsent"]> =>
  showOperation(tools, {
    async show(request, call) {
      const proof = interactionProof(request, request.query.interaction, tools.cookies);
      const { answer } = await browser.showConsent({ proof }, call);
      return answer?.$case === "page"
        ? page(200, render(answer.value, tools), answer.value.redirectOrigin, scriptAddress(tools.issuer))
        : nextStepResponse(303, { nextStep: answer?.value ?? null }, request, tools);
    },
    unreadable: ({ requestId }) =>
      errorPageReply(400, { reason: "ERROR_PAGE_REASON_INTERACTION_GONE", requestId }, tools),
  });

/** POST /auth/consent. */
export const submitConsentOperation = (browser: Browser, tools: PageTools): Operation<operations["submitConsent"]> =>
  submitOperation(tools, {
    async submit(request, call) {
      const { query, body } = request;
      const proof = interactionProof(request, query.interaction, tools.cookies);
      const form = { proof, formToken: body.form_token, approved: body.decision === "approve" };
      return nextStepResponse(303, await browser.submitConsent(form, call), request, tools);
    },
    refused: ({ requestId }) => errorPageReply(400, { reason: "ERROR_PAGE_REASON_FORM_REFUSED", requestId }, tools),
  });
