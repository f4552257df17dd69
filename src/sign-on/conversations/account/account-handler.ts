import {
  AccountOutcome,
  type AccountService,
  type ChangeAccountRequest,
} from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { noteFor, takeNote } from "../../browser/account-note.ts";
import {
  ACCOUNT,
  ACCOUNT_SIGN_IN,
  accountFormRefused,
  accountReply,
  accountUnreadable,
  onTo,
  onToSignInAgain,
  PASSWORD_CHANGE,
  SIGNED_OUT,
} from "../../browser/account-response.ts";
import { sessionSecretOf } from "../../browser/cookies.ts";
import { inLanguage } from "../../browser/page-language.ts";
import { type PageTools, showOperation, submitOperation } from "../../browser/page-operation.ts";
import { accountPage } from "./account-page.ts";

type Account = PromiseClient<typeof AccountService>;

/** GET /auth/account. */
export const showAccountOperation = (account: Account, tools: PageTools): Operation<operations["showAccount"]> =>
  showOperation(tools, {
    async show(request, call) {
      const { page } = await account.showAccount({ sessionSecret: sessionSecretOf(request, tools) }, call);
      if (page === null) return onTo(ACCOUNT_SIGN_IN, tools);
      const { note, setCookie } = takeNote(request, tools);
      const values = {
        ...page,
        action: inLanguage(ACCOUNT, tools),
        passwordAddress: inLanguage(PASSWORD_CHANGE, tools),
        // The address alone is nobody's word.
        done: request.query.done === note ? request.query.done : undefined,
      };
      return accountReply(200, accountPage(values, tools.texts), tools, setCookie);
    },
    unreadable: (request) => accountUnreadable(request, tools),
  });

/** POST /auth/account: one change, then the page again with a sentence about it. */
export const submitAccountOperation = (account: Account, tools: PageTools): Operation<operations["submitAccount"]> =>
  submitOperation(tools, {
    async submit(request, call) {
      const { body } = request;
      const sessionSecret = sessionSecretOf(request, tools);
      const form = { sessionSecret, formToken: body.form_token, change: changeOf(body) };
      const { outcome } = await account.changeAccount(form, call);
      switch (outcome) {
        case AccountOutcome.DONE: {
          const done = body.action === "withdraw" ? "access" : "session";
          return onTo(`${ACCOUNT}?done=${done}`, tools, [noteFor(done, tools)]);
        }
        case AccountOutcome.SIGNED_OUT:
          return onTo(SIGNED_OUT, tools, [
            { name: tools.cookies.session, value: undefined },
            ...(body.action === "sign_out_everywhere" ? [noteFor("everywhere", tools)] : []),
          ]);
        case AccountOutcome.NOBODY:
          return onToSignInAgain(ACCOUNT_SIGN_IN, tools);
        default:
          return accountFormRefused(request, tools);
      }
    },
    refused: (request) => accountFormRefused(request, tools),
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
