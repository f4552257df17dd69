import type { EdgeRequest } from "#runtime/http/operation.ts";
import { pageHeaders, scriptAddress } from "#runtime/pages/page-headers.ts";
import type { CookieChange } from "./cookies.ts";
import { inLanguage } from "./page-language.ts";
import { errorPageReply, type PageTools } from "./page-operation.ts";

export const ACCOUNT = "/auth/account";
export const ACCOUNT_SIGN_IN = "/auth/account/sign-in";
export const PASSWORD_CHANGE = "/auth/account/password";
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
    headers: {
      ...pageHeaders({ script: scriptAddress(issuer) }),
      ...(setCookie.length === 0 ? {} : { "set-cookie": setCookie }),
    },
    body,
  }) as const;

/** The same page after too many failed attempts (R-X87). */
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
      ...(changes.length === 0 ? {} : { "set-cookie": changes.map((change) => tools.cookies.write(change)) }),
    },
  }) as const;

/** The answer to a form that is incomplete or from another page: nothing was changed, and a link leads back. */
export const accountFormRefused = ({ requestId }: EdgeRequest, tools: PageTools) =>
  errorPageReply(
    400,
    { reason: "accountForm", requestId, retryUrl: inLanguage(ACCOUNT, tools), retryLabel: tools.texts.account.back },
    tools,
  );
