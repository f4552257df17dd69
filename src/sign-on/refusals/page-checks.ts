import type { Check } from "./check.ts";

const BEGIN_AGAIN =
  "Begin at the application again. Each sign-in is good for an hour, once, in the browser that began it.";
const NEW_LINK = "Make a new link: gatehouse people reset, or gatehouse people invite for a first password.";
const OURS = "Try again in a moment. If it stays so, an operator finds this request id in the log.";

/** Why a page of ours is refused or an address is unknown, and which faults of Gatehouse can end a request. */
export const PAGE_CHECKS = {
  "interaction.gone": {
    page: "ERROR_PAGE_REASON_INTERACTION_GONE",
    finding: "The sign-in was finished, timed out or never existed.",
    advice: BEGIN_AGAIN,
  },
  "interaction.elsewhere": {
    page: "ERROR_PAGE_REASON_INTERACTION_ELSEWHERE",
    finding: "The sign-in was begun in another browser, or its cookie was not sent.",
    advice: `${BEGIN_AGAIN} Cookies must be allowed, and the pages must not be framed.`,
  },
  "form.refused": {
    page: "ERROR_PAGE_REASON_FORM_REFUSED",
    finding:
      "The form did not come from our page, its cookie was not sent, or somebody has signed in in this browser since the page was shown.",
    advice:
      "Open the page again: from the application, by the password link, or at /auth/account. A sign-in is good for an hour, in the browser that began it. Cookies must be allowed.",
  },
  "link.unknown": {
    finding: "There is no password link with this address, or it ended so long ago that it was deleted.",
    advice: `Open the link whole, as it was sent. ${NEW_LINK}`,
  },
  "link.expired": {
    finding: "The password link is older than seven days.",
    advice: NEW_LINK,
  },
  "link.used": {
    finding: "A password was set with this link before. A link works once.",
    advice: `Sign in with that password. If it is forgotten: ${NEW_LINK}`,
  },
  "link.withdrawn": {
    finding:
      "The link was replaced: by a newer link, by a password that was set in another way, by another e-mail address, or by disabling the person.",
    advice: `Open the newest link. ${NEW_LINK}`,
  },
  "sign_in.unknown_person": {
    finding: "No person has the e-mail address that was entered.",
    advice: "Compare the address with the one that the platform has: gatehouse users list.",
  },
  "sign_in.wrong_password": {
    finding: "The password was wrong, or the person has none yet.",
    advice: `See how the person is: gatehouse people explain. ${NEW_LINK}`,
  },
  "sign_in.person_disabled": {
    finding: "The person is disabled, and cannot sign in anywhere.",
    advice: "See by whom and since when: gatehouse people explain. To let the person in: gatehouse people enable.",
  },
  "sign_in.throttled": {
    finding:
      "Too many sign-ins with this e-mail address, from this network or in this browser had failed, so the password was not checked.",
    advice: "Wait as long as the page says, and try again; gatehouse people explain says until when.",
  },
  "logout.malformed": {
    finding: "The request for sign-out cannot be read: a parameter is repeated or too long.",
    advice: "Send each parameter of RP-Initiated Logout once.",
  },
  "logout.hint_unreadable": {
    finding: "The id_token_hint of the request for sign-out is no ID token of this issuer, or its key was revoked.",
    advice: "Send an ID token as it was received, or leave id_token_hint out and send client_id.",
  },
  "logout.application_unknown": {
    finding: "The request for sign-out names an unknown application, or the ID token of another one.",
    advice: "Send the client_id as the operator gave it, with an ID token of the same application.",
  },
  "logout.address_not_registered": {
    finding: "The post_logout_redirect_uri is not registered for the application, or came without an application.",
    advice:
      "Send one that is registered, with client_id or id_token_hint, or have it registered: gatehouse applications update --post-logout-redirect-uri.",
  },
  "logout.gone": {
    finding: "The question of this sign-out was answered before, timed out or never existed.",
    advice: "Nothing is wrong with the application. The page offers to sign out.",
  },
  "page.malformed": {
    finding: "The address or the form of the page cannot be read, or lacks a part.",
    advice: `${BEGIN_AGAIN} Do not store or build addresses of these pages.`,
  },
  "address.unknown": {
    error: "invalid_request",
    sentence: "Nothing is offered at this address.",
    finding: "No operation is offered at this address.",
    advice: "Take the addresses from /.well-known/openid-configuration.",
  },
  "address.slash": {
    error: "invalid_request",
    sentence: "Leave out the slash at the end: {path} is the address.",
    finding: "No operation is offered at this address; there is one at the same address without its last slash.",
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
    advice:
      "The sentence says what is wrong. A Host header, a target or a transfer coding that is refused comes most often from a proxy on the way.",
  },
  /** For an address without body and parameters. */
  "request.malformed": {
    error: "invalid_request",
    sentence: "The request is malformed.",
    advice: "Look at the contract of this operation: /docs.",
  },
  "request.precondition_failed": {
    error: "invalid_request",
    sentence: "The answer has none of the entity tags in If-Match.",
    finding: "The request has the header If-Match, and the document has none of the entity tags in it.",
    advice: "To ask whether the document has changed, send If-None-Match.",
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
