import {
  AccountOutcome,
  type AccountService,
  type ChangeAccountRequest,
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
  SIGNED_OUT,
} from "../../browser/account-response.ts";
import { edgeCall } from "../../browser/edge-call.ts";
import { refusedByPage } from "../../browser/edge-refusals.ts";
import { isOwnForm } from "../../browser/form-origin.ts";
import { sessionSecretOf } from "../../browser/interaction-proof.ts";
import { inLanguage } from "../../browser/page-language.ts";
import { failurePage } from "../../browser/page-operation.ts";
import { accountPage } from "./account-page.ts";

type Account = PromiseClient<typeof AccountService>;

/** GET /auth/account. */
export const showAccountOperation = (account: Account, tools: AccountTools): Operation<operations["showAccount"]> => ({
  async handle(request) {
    const { query } = request;
    const sessionSecret = sessionSecretOf(request, tools);
    try {
      const { page } = await account.showAccount({ sessionSecret }, edgeCall(request));
      if (page === null) return onTo(ACCOUNT_SIGN_IN, tools);
      const values = {
        ...page,
        action: inLanguage(ACCOUNT, tools),
        passwordAddress: inLanguage(PASSWORD_CHANGE, tools),
        done: query.done,
      };
      return accountReply(200, accountPage(values, tools.texts));
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async (request, parts) => brokenAccountForm(request, parts, tools),
});

/** POST /auth/account: one change, then the page again with a sentence of what was done. */
export const submitAccountOperation = (
  account: Account,
  tools: AccountTools,
): Operation<operations["submitAccount"]> => ({
  async handle(request) {
    const { requestId, body } = request;
    if (!isOwnForm(request, tools.issuer)) return refusedByPage("form.refused", accountFormRefused(requestId, tools));
    const form = { sessionSecret: sessionSecretOf(request, tools), formToken: body.form_token, change: changeOf(body) };
    try {
      const { outcome } = await account.changeAccount(form, edgeCall(request));
      switch (outcome) {
        case AccountOutcome.ACCOUNT_OUTCOME_DONE:
          return onTo(`${ACCOUNT}?done=${body.action === "withdraw" ? "access" : "session"}`, tools);
        case AccountOutcome.ACCOUNT_OUTCOME_SIGNED_OUT:
          return onTo(SIGNED_OUT, tools, [{ name: tools.cookies.session, value: undefined }]);
        case AccountOutcome.ACCOUNT_OUTCOME_NOBODY:
          return onTo(ACCOUNT_SIGN_IN, tools);
        default:
          return accountFormRefused(requestId, tools);
      }
    } catch (error) {
      return failurePage(error, request, tools);
    }
  },
  invalid: async (request, parts) => brokenAccountForm(request, parts, tools),
});

function changeOf(
  form: operations["submitAccount"]["requestBody"]["content"]["application/x-www-form-urlencoded"],
): ChangeAccountRequest["change"] {
  switch (form.action) {
    case "end_session":
      return { $case: "endSession", value: { sid: form.session ?? "" } };
    case "withdraw":
      return {
        $case: "withdrawAccess",
        value: { applicationId: form.application ?? "", instanceId: form.instance ?? "" },
      };
    default:
      return { $case: "signOutEverywhere", value: {} };
  }
}
