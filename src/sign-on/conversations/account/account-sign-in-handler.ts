import type { AccountService } from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { EdgeRequest, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { takeNote } from "../../browser/account-note.ts";
import {
  ACCOUNT,
  ACCOUNT_SIGN_IN,
  accountCookieMissing,
  accountFormRefused,
  accountReply,
  accountUnreadable,
  onTo,
  PASSWORD_CHANGE,
  SIGN_IN_TO_CHANGE_PASSWORD,
  waitReply,
} from "../../browser/account-response.ts";
import { cookieHeaderOf, deviceCookie, deviceProofOf, sessionSecretOf } from "../../browser/cookies.ts";
import { senderOf } from "../../browser/edge-call.ts";
import { inLanguage } from "../../browser/page-language.ts";
import { type PageTools, showOperation, submitOperation } from "../../browser/page-operation.ts";
import { accountSignInPage } from "../../browser/sign-in-pages.ts";

type Account = PromiseClient<typeof AccountService>;

/** How long a person may take. */
const COOKIE_SECONDS = 3_600;

const pageSecretOf = (request: EdgeRequest, { cookies }: PageTools): string | null =>
  cookies.read(cookieHeaderOf(request), cookies.account) ?? null;

type Next = NonNullable<operations["showAccountSignIn"]["parameters"]["query"]>["next"];

/** The page that the sign-in leads to. */
const pageAfter = (next: Next): string => (next === "password" ? PASSWORD_CHANGE : ACCOUNT);

const signInTo = (next: Next): string => (next === "password" ? SIGN_IN_TO_CHANGE_PASSWORD : ACCOUNT_SIGN_IN);

const render = (
  values: Omit<Parameters<typeof accountSignInPage>[0], "action">,
  next: Next,
  tools: PageTools,
): string => accountSignInPage({ ...values, action: inLanguage(signInTo(next), tools) }, tools.texts);

/** GET /auth/account/sign-in. */
export const showAccountSignInOperation = (
  account: Account,
  tools: PageTools,
): Operation<operations["showAccountSignIn"]> =>
  showOperation(tools, {
    async show(request, call) {
      const { cookies } = tools;
      const { next } = request.query;
      // For another account nobody counts as signed in; a session ends only when another person has signed in (R-X117).
      const sessionSecret = request.query.account === "other" ? null : sessionSecretOf(request, tools);
      const show = { sessionSecret, pageSecret: pageSecretOf(request, tools) };
      const shown = await account.showAccountSignIn(show, call);
      if (shown.signedIn) return onTo(pageAfter(next), tools);
      const cookie = { name: cookies.account, value: shown.pageSecret, maxAgeSeconds: COOKIE_SECONDS };
      const { note, setCookie } = takeNote(request, tools);
      const values = {
        formToken: shown.formToken,
        email: "",
        refused: false,
        waitSeconds: undefined,
        isFormUndone: note === "nobody",
      };
      return accountReply(200, render(values, next, tools), tools, [cookies.write(cookie), ...setCookie]);
    },
    unreadable: (request) => accountUnreadable(request, tools),
  });

/** POST /auth/account/sign-in. */
export const submitAccountSignInOperation = (
  account: Account,
  tools: PageTools,
): Operation<operations["submitAccountSignIn"]> =>
  submitOperation(tools, {
    async submit(request, call) {
      const { cookies } = tools;
      const { next } = request.query;
      const { form_token: formToken, email, password } = request.body;
      const form = {
        sessionSecret: sessionSecretOf(request, tools),
        pageSecret: pageSecretOf(request, tools),
        formToken,
        email,
        password,
        sender: senderOf(request),
        deviceProof: deviceProofOf(request, tools),
      };
      const { answer, deviceProof } = await account.signInToAccount(form, call);
      const failed = { formToken, email, support: { contact: tools.supportContact, requestId: request.requestId } };
      switch (answer?.$case) {
        case "sessionSecret":
          return onTo(pageAfter(next), tools, [
            { name: cookies.session, value: answer.value },
            { name: cookies.account, value: undefined },
            ...deviceCookie(deviceProof ?? undefined, cookies),
          ]);
        case "refused":
          return accountReply(400, render({ ...failed, refused: true, waitSeconds: undefined }, next, tools), tools);
        case "waitSeconds":
          return waitReply(
            render({ ...failed, refused: false, waitSeconds: answer.value }, next, tools),
            tools,
            answer.value,
          );
        default:
          return form.pageSecret === null ? accountCookieMissing(request, tools) : accountFormRefused(request, tools);
      }
    },
    refused: (request) => accountFormRefused(request, tools),
  });
