import type { AnyReply, UnroutedRequest } from "#runtime/http/operation.ts";
import { prefersPage, VARY_BY_ACCEPT } from "#runtime/http/preferred-form.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { ACCOUNT } from "./account-response.ts";
import { errorPage } from "./error-page.ts";
import { inLanguage, languageOf } from "./page-language.ts";

/**
 * The page at an address below `/auth` that leads nowhere, in the language of the browser: mail programs cut a long
 * link in two. `undefined` for clients that do not prefer a page, which get JSON (R-X208).
 */
export function unknownAddressPage(
  { accept, acceptLanguage, rawQuery, isPathUnread }: UnroutedRequest,
  { requestId, supportContact }: { readonly requestId: string; readonly supportContact: string | undefined },
): AnyReply | undefined {
  if (!prefersPage(accept)) return undefined;
  const headers = acceptLanguage === undefined ? {} : { "accept-language": acceptLanguage };
  const language = languageOf({ rawQuery, rawForm: "", headers });
  const { texts } = language;
  const back = { retryUrl: inLanguage(ACCOUNT, language), retryLabel: texts.account.back };
  return {
    status: isPathUnread ? 400 : 404,
    type: "text/html",
    headers: { ...pageHeaders(), ...VARY_BY_ACCEPT, "content-language": texts.language },
    body: errorPage({ reason: "nothingHere", requestId, supportContact, ...back }, texts),
  };
}
