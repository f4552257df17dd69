import {
  AccountOutcome,
  type AccountService,
  type PasswordChangePage,
} from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import {
  ACCOUNT,
  ACCOUNT_SIGN_IN,
  type AccountTools,
  accountFormRefused,
  accountReply,
  brokenAccountForm,
  onTo,
  PASSWORD_CHANGE,
  waitReply,
} from "../../browser/account-response.ts";
import { deviceProofOf } from "../../browser/device-cookie.ts";
import { edgeCall } from "../../browser/edge-call.ts";
import { refusedByPage } from "../../browser/edge-refusals.ts";
import { isOwnForm } from "../../browser/form-origin.ts";
import { sessionSecretOf } from "../../browser/interaction-proof.ts";
import { inLanguage } from "../../browser/page-language.ts";
import { failurePage } from "../../browser/page-operation.ts";
import { senderOf } from "../../browser/sender.ts";
import { changePasswordPage } from "./change-password-page.ts";

type Account = PromiseClient<typeof AccountService>;

const render = (page: PasswordChangePage, tools: AccountTools): string =>
  changePasswordPage(
    { ...page, action: inLanguage(PASSWORD_CHANGE, tools), back: inLanguage(ACCOUNT, tools) },
    tools.texts,
  );

/** GET /auth/account/password. */
export const showPasswordChangeOperation = (
  account: Account,
  tools: AccountTools,
): Operation<operations["showPasswordChange"]> => ({
  async handle(request) {
    const sessionSecret = sessionSecretOf(request, tools);
    try {
      const { page } = await account.showPasswordChange({ sessionSecret }, edgeCall(request));
      return page === null ? onTo(ACCOUNT_SIGN_IN, tools) : accountReply(200, render(page, tools));
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async (request, parts) => brokenAccountForm(request, parts, tools),
});

/** POST /auth/account/password. */
export const submitPasswordChangeOperation = (
  account: Account,
  tools: AccountTools,
): Operation<operations["submitPasswordChange"]> => ({
  async handle(request) {
    const { requestId, body } = request;
    if (!isOwnForm(request, tools.issuer)) return refusedByPage("form.refused", accountFormRefused(requestId, tools));
    const form = {
      sessionSecret: sessionSecretOf(request, tools),
      formToken: body.form_token,
      oldPassword: body.old_password,
      password: body.password,
      passwordAgain: body.password_again,
      sender: senderOf(request),
      deviceProof: deviceProofOf(request, tools),
    };
    try {
      const { answer } = await account.changePassword(form, edgeCall(request));
      if (answer?.$case === "sessionSecret")
        return onTo(`${ACCOUNT}?done=password`, tools, [{ name: tools.cookies.session, value: answer.value }]);
      if (answer?.$case === "page") {
        const { waitSeconds } = answer.value;
        const markup = render(answer.value, tools);
        return typeof waitSeconds === "number" ? waitReply(markup, waitSeconds) : accountReply(400, markup);
      }
      return answer?.value === AccountOutcome.ACCOUNT_OUTCOME_NOBODY
        ? onTo(ACCOUNT_SIGN_IN, tools)
        : accountFormRefused(requestId, tools);
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async (request, parts) => brokenAccountForm(request, parts, tools),
});
