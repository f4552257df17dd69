import {
  AccountOutcome,
  type AccountService,
  type PasswordChangePage,
} from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { noteFor } from "../../browser/account-note.ts";
import {
  ACCOUNT,
  accountFormRefused,
  accountReply,
  accountUnreadable,
  onTo,
  onToSignInAgain,
  PASSWORD_CHANGE,
  SIGN_IN_TO_CHANGE_PASSWORD,
  waitReply,
} from "../../browser/account-response.ts";
import { deviceCookie, deviceProofOf, sessionSecretOf } from "../../browser/cookies.ts";
import { senderOf } from "../../browser/edge-call.ts";
import { inLanguage } from "../../browser/page-language.ts";
import { type PageTools, showOperation, submitOperation } from "../../browser/page-operation.ts";
import type { Support } from "../../browser/support.ts";
import { pageRefusal } from "../../refusals/refused.ts";
import { changePasswordPage } from "./change-password-page.ts";

type Account = PromiseClient<typeof AccountService>;

const render = (page: PasswordChangePage, tools: PageTools, support?: Support): string =>
  changePasswordPage(
    {
      ...page,
      action: inLanguage(PASSWORD_CHANGE, tools),
      back: inLanguage(ACCOUNT, tools),
      ...(support === undefined ? {} : { support }),
    },
    tools.texts,
  );

/** GET /.well-known/change-password: where password managers look for the page. */
export const findPasswordChangeOperation = (tools: PageTools): Operation<operations["findPasswordChange"]> => ({
  handle: async () => onTo(PASSWORD_CHANGE, tools),
  invalid: async (request) => ({ ...accountUnreadable(request, tools), refused: pageRefusal("page.malformed") }),
});

/** GET /auth/account/password. */
export const showPasswordChangeOperation = (
  account: Account,
  tools: PageTools,
): Operation<operations["showPasswordChange"]> =>
  showOperation(tools, {
    async show(request, call) {
      const { page } = await account.showPasswordChange({ sessionSecret: sessionSecretOf(request, tools) }, call);
      return page === null ? onTo(SIGN_IN_TO_CHANGE_PASSWORD, tools) : accountReply(200, render(page, tools), tools);
    },
    unreadable: (request) => accountUnreadable(request, tools),
  });

/** POST /auth/account/password. */
export const submitPasswordChangeOperation = (
  account: Account,
  tools: PageTools,
): Operation<operations["submitPasswordChange"]> =>
  submitOperation(tools, {
    async submit(request, call) {
      const { body } = request;
      const form = {
        sessionSecret: sessionSecretOf(request, tools),
        formToken: body.form_token,
        oldPassword: body.old_password,
        password: body.password,
        passwordAgain: body.password_again,
        sender: senderOf(request),
        deviceProof: deviceProofOf(request, tools),
      };
      const { answer, deviceProof } = await account.changePassword(form, call);
      if (answer?.$case === "sessionSecret")
        return onTo(`${ACCOUNT}?done=password`, tools, [
          { name: tools.cookies.session, value: answer.value },
          ...deviceCookie(deviceProof ?? undefined, tools.cookies),
          noteFor("password", tools),
        ]);
      if (answer?.$case === "page") {
        const { waitSeconds } = answer.value;
        const support = { contact: tools.supportContact, requestId: request.requestId };
        const markup = render(answer.value, tools, support);
        return typeof waitSeconds === "number"
          ? waitReply(markup, tools, waitSeconds)
          : accountReply(400, markup, tools);
      }
      return answer?.value === AccountOutcome.NOBODY
        ? onToSignInAgain(SIGN_IN_TO_CHANGE_PASSWORD, tools)
        : accountFormRefused(request, tools);
    },
    refused: (request) => accountFormRefused(request, tools),
  });
