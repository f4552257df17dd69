import type { AccountService } from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { EdgeRequest, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import {
  ACCOUNT,
  ACCOUNT_SIGN_IN,
  type AccountTools,
  accountFormRefused,
  accountReply,
  brokenAccountForm,
  onTo,
  waitReply,
} from "../../browser/account-response.ts";
import { deviceCookie, deviceProofOf } from "../../browser/device-cookie.ts";
import { edgeCall } from "../../browser/edge-call.ts";
import { refusedByPage } from "../../browser/edge-refusals.ts";
import { isOwnForm } from "../../browser/form-origin.ts";
import { cookieHeaderOf, sessionSecretOf } from "../../browser/interaction-proof.ts";
import { inLanguage } from "../../browser/page-language.ts";
import { failurePage } from "../../browser/page-operation.ts";
import { senderOf } from "../../browser/sender.ts";
import { accountSignInPage } from "./account-sign-in-page.ts";

type Account = PromiseClient<typeof AccountService>;

/** As long as a person may take. */
const COOKIE_SECONDS = 3_600;

const pageSecretOf = (request: EdgeRequest, { cookies }: AccountTools): string | null =>
  cookies.read(cookieHeaderOf(request), cookies.account) ?? null;

/** GET /auth/account/sign-in. */
export const showAccountSignInOperation = (
  account: Account,
  tools: AccountTools,
): Operation<operations["showAccountSignIn"]> => ({
  async handle(request) {
    const { cookies } = tools;
    const show = { sessionSecret: sessionSecretOf(request, tools), pageSecret: pageSecretOf(request, tools) };
    try {
      const shown = await account.showAccountSignIn(show, edgeCall(request));
      if (shown.signedIn) return onTo(ACCOUNT, tools);
      const values = {
        action: inLanguage(ACCOUNT_SIGN_IN, tools),
        formToken: shown.formToken,
        email: "",
        refused: false,
      };
      const cookie = { name: cookies.account, value: shown.pageSecret, maxAgeSeconds: COOKIE_SECONDS };
      const page = accountSignInPage({ ...values, waitSeconds: undefined }, tools.texts);
      return accountReply(200, page, [cookies.write(cookie)]);
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async (request, parts) => brokenAccountForm(request, parts, tools),
});

/** POST /auth/account/sign-in. */
export const submitAccountSignInOperation = (
  account: Account,
  tools: AccountTools,
): Operation<operations["submitAccountSignIn"]> => ({
  async handle(request) {
    const { requestId, body } = request;
    const { cookies } = tools;
    if (!isOwnForm(request, tools.issuer)) return refusedByPage("form.refused", accountFormRefused(requestId, tools));
    const { form_token: formToken, email, password } = body;
    const secrets = { sessionSecret: sessionSecretOf(request, tools), pageSecret: pageSecretOf(request, tools) };
    const form = {
      ...secrets,
      formToken,
      email,
      password,
      sender: senderOf(request),
      deviceProof: deviceProofOf(request, tools),
    };
    const values = { action: inLanguage(ACCOUNT_SIGN_IN, tools), formToken, email };
    try {
      const { answer, deviceProof } = await account.signInToAccount(form, edgeCall(request));
      switch (answer?.$case) {
        case "sessionSecret":
          return onTo(ACCOUNT, tools, [
            { name: cookies.session, value: answer.value },
            { name: cookies.account, value: undefined },
            ...deviceCookie(deviceProof ?? undefined, cookies),
          ]);
        case "refused": {
          const page = accountSignInPage({ ...values, refused: true, waitSeconds: undefined }, tools.texts);
          return accountReply(400, page);
        }
        case "waitSeconds": {
          const page = accountSignInPage({ ...values, refused: false, waitSeconds: answer.value }, tools.texts);
          return waitReply(page, answer.value);
        }
        default:
          return accountFormRefused(requestId, tools);
      }
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async (request, parts) => brokenAccountForm(request, parts, tools),
});
