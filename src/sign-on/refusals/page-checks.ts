import type { Check } from "./check.ts";

const BEGIN_ANEW =
  "Begin at the application again. Each sign-in is good for an hour, once, in the browser that began it.";
const OURS = "Try again in a moment. If it stays so, an operator finds this request id in the log.";

/** Why a page of ours is refused or an address is unknown, and which faults of Gatehouse can end a request. */
export const PAGE_CHECKS = {
  "interaction.gone": {
    page: "ERROR_PAGE_REASON_INTERACTION_GONE",
    finding: "The sign-in was finished, timed out or never existed.",
    advice: BEGIN_ANEW,
  },
  "interaction.elsewhere": {
    page: "ERROR_PAGE_REASON_INTERACTION_ELSEWHERE",
    finding: "The sign-in was begun in another browser, or its cookie was not sent.",
    advice: `${BEGIN_ANEW} Cookies must be allowed, and the pages must not be framed.`,
  },
  "form.refused": {
    page: "ERROR_PAGE_REASON_FORM_REFUSED",
    finding: "The form did not come from our page, or was shown for another sign-in.",
    advice: BEGIN_ANEW,
  },
  "page.malformed": {
    finding: "The address or the form of the page cannot be read, or lacks a part.",
    advice: `${BEGIN_ANEW} Do not store or build addresses of these pages.`,
  },
  "address.unknown": {
    error: "invalid_request",
    sentence: "Nothing is offered at this address.",
    finding: "No operation is offered at this address.",
    advice: "Take the addresses from /.well-known/openid-configuration.",
  },
  "address.method": {
    error: "invalid_request",
    sentence: "This address does not offer the method; see the allow header.",
    finding: "The address does not offer this method.",
    advice: "The allow header of the answer says which; most often it is GET in place of POST at the token endpoint.",
  },
  "request.unreadable": {
    error: "invalid_request",
    sentence: "The {problem}.",
    finding: "The request could not be read as HTTP.",
    advice: "Look at the status of the answer.",
  },
  /** For an address without body and parameters. */
  "request.malformed": {
    error: "invalid_request",
    sentence: "The request is malformed.",
    advice: "Look at the contract of this operation: /docs.",
  },
  "service.busy": {
    error: "temporarily_unavailable",
    sentence: "The service cannot answer at the moment.",
    finding: "The server was too busy at that moment.",
    advice: OURS,
  },
  "service.failed": {
    error: "server_error",
    sentence: "Something went wrong on our side.",
    advice: OURS,
  },
  /** Noted with the reason and the sentence of the failure. */
  "workforce.failed": {
    finding: "Sign-on asked workforce about a person or an instance and got a failure; the error is its reason.",
    advice: OURS,
  },
} as const satisfies Readonly<Record<string, Check>>;
