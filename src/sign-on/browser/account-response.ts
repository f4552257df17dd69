import type { EdgeRequest } from "#runtime/http/operation.ts";
import { pageHeaders, scriptAddress } from "#runtime/pages/page-headers.ts";
import { noteFor } from "./account-note.ts";
import { type CookieChange, settingCookies } from "./cookies.ts";
import { inLanguage } from "./page-language.ts";
import { errorPageReply, type PageTools } from "./page-operation.ts";

export const ACCOUNT = "/auth/account";
export const ACCOUNT_SIGN_IN = "/auth/account/sign-in";
export const PASSWORD_CHANGE = "/auth/account/password";
/** The sign-in whose next page is the one that changes the password. */
export const SIGN_IN_TO_CHANGE_PASSWORD = `${ACCOUNT_SIGN_IN}?next=password`;
/** The sign-in that is shown although somebody is signed in. */
export const SIGN_IN_TO_ANOTHER_ACCOUNT = `${ACCOUNT_SIGN_IN}?account=other`;
export const SIGNED_OUT = "/auth/signed-out";

/** A page of the account as an answer; its forms redirect to no other origin, and it may run our script. */
export const accountReply = <S extends 200 | 400>(
  status: S,
  body: string,
  { issuer }: Pick<PageTools, "issuer">,
  setCookie: readonly string[] = [],
) =>
  ({
    status,
    type: "text/html",
    headers: { ...pageHeaders({ script: scriptAddress(issuer) }), ...settingCookies(setCookie) },
    body,
  }) as const;

/** A page of the account as the answer to one failed attempt too many (R-X87). */
export const waitReply = (body: string, { issuer }: Pick<PageTools, "issuer">, waitSeconds: number) =>
  ({
    status: 429,
    type: "text/html",
    headers: { ...pageHeaders({ script: scriptAddress(issuer) }), "retry-after": String(waitSeconds) },
    body,
  }) as const;

/** On to another page of ours. */
export const onTo = (location: string, tools: PageTools, changes: readonly CookieChange[] = []) =>
  ({
    status: 303,
    headers: {
      location: inLanguage(location, tools),
      "cache-control": "no-store",
      ...settingCookies(changes.map((change) => tools.cookies.write(change))),
    },
  }) as const;

/** On to the sign-in, for a form of somebody who is no longer signed in: its page says that nothing was changed. */
export const onToSignInAgain = (signIn: string, tools: PageTools) => onTo(signIn, tools, [noteFor("nobody", tools)]);

/** The answer to an address of the account that cannot be read. */
export const accountUnreadable = (request: EdgeRequest, tools: PageTools) => accountError("unreadable", request, tools);

/** The answer to a form that is incomplete or from another page: nothing was changed, and a link leads back. */
export const accountFormRefused = (request: EdgeRequest, tools: PageTools) =>
  accountError("accountForm", request, tools);

/** The answer to a form whose page had a cookie that the browser has not sent. */
export const accountCookieMissing = (request: EdgeRequest, tools: PageTools) =>
  accountError("accountCookie", request, tools);

const accountError = (
  reason: "unreadable" | "accountForm" | "accountCookie",
  { requestId }: EdgeRequest,
  tools: PageTools,
) =>
  errorPageReply(
    400,
    { reason, requestId, retryUrl: inLanguage(ACCOUNT, tools), retryLabel: tools.texts.account.back },
    tools,
  );
