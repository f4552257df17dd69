import type { BrowserService, LoginPage } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { EdgeRequest, Operation } from "#runtime/http/operation.ts";
import { scriptAddress } from "#runtime/pages/page-headers.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { deviceProofOf, interactionProof } from "../../browser/cookies.ts";
import { senderOf } from "../../browser/edge-call.ts";
import { nextStepResponse, openInteraction, pageAddress } from "../../browser/next-step-response.ts";
import type { PageLanguage } from "../../browser/page-language.ts";
import { errorPageReply, type PageTools, page, showOperation, submitOperation } from "../../browser/page-operation.ts";
import { loginPage } from "../../browser/sign-in-pages.ts";
import type { Support } from "../../browser/support.ts";

type Browser = PromiseClient<typeof BrowserService>;

const render = (
  { interactionId, redirectOrigin: _, ...values }: LoginPage,
  language: PageLanguage,
  failed: { readonly support?: Support } = {},
): string =>
  loginPage({ ...values, ...failed, action: pageAddress("/auth/login", interactionId, language) }, language.texts);

/** The page after an attempt that failed, or that must wait (429). */
const refusedPage = (value: LoginPage, { requestId }: EdgeRequest, tools: PageTools) => {
  const { waitSeconds, redirectOrigin } = value;
  const markup = render(value, tools, { support: { contact: tools.supportContact, requestId } });
  const script = scriptAddress(tools.issuer);
  if (typeof waitSeconds !== "number") return page(400, markup, redirectOrigin, script);
  const { headers, ...reply } = page(429, markup, redirectOrigin, script);
  return { ...reply, headers: { ...headers, "retry-after": String(waitSeconds) } };
};

/** GET /auth/login. */
export const showLoginOperation = (browser: Browser, tools: PageTools): Operation<operations["showLogin"]> =>
  showOperation(tools, {
    async show(request, call) {
      const { cookies } = tools;
      const proof = interactionProof(request, request.query.interaction, cookies);
      const otherAccount = request.query.account === "other";
      const { answer } = await browser.showLogin({ proof, otherAccount }, call);
      const { interactionId, interactionSecret } = proof;
      if (answer?.$case !== "page")
        return nextStepResponse(303, { nextStep: answer?.value ?? null, interactionSecret }, request, tools);
      const changes = openInteraction(interactionId, interactionSecret, request, cookies);
      const { redirectOrigin } = answer.value;
      const { headers, ...shown } = page(200, render(answer.value, tools), redirectOrigin, scriptAddress(tools.issuer));
      return { ...shown, headers: { ...headers, "set-cookie": changes.map((change) => cookies.write(change)) } };
    },
    unreadable: ({ requestId }) =>
      errorPageReply(400, { reason: "ERROR_PAGE_REASON_INTERACTION_GONE", requestId }, tools),
  });

/** POST /auth/login. A refused attempt is the page again, with status 400, or 429 after too many (R-S17). */
export const submitLoginOperation = (browser: Browser, tools: PageTools): Operation<operations["submitLogin"]> =>
  submitOperation(tools, {
    async submit(request, call) {
      const { form_token: formToken, email, password } = request.body;
      const form = {
        proof: interactionProof(request, request.query.interaction, tools.cookies),
        formToken,
        email,
        password,
        sender: senderOf(request),
        deviceProof: deviceProofOf(request, tools),
      };
      const { answer, ...secrets } = await browser.submitLogin(form, call);
      return answer?.$case === "page"
        ? refusedPage(answer.value, request, tools)
        : nextStepResponse(303, { nextStep: answer?.value ?? null, ...secrets }, request, tools);
    },
    refused: ({ requestId }) => errorPageReply(400, { reason: "ERROR_PAGE_REASON_FORM_REFUSED", requestId }, tools),
  });
