import type { Check } from "./check.ts";

const BEGIN_ANEW =
  "Begin at the application again. Each sign-in is good for an hour, once, in the browser that began it.";
const OURS = "Try again in a moment. If it stays so, an operator finds this request id in the log.";

/** Why people get an error page in place of an answer at the redirect URI, and what else ends a request. */
export const PAGE_CHECKS: readonly Check[] = [
  {
    name: "client_id.missing",
    finding: "The authorization request has no client_id.",
    advice: "Send client_id as the operator gave it.",
  },
  {
    name: "client_id.repeated",
    finding: "The authorization request has more than one client_id.",
    advice: "Send it once.",
  },
  {
    name: "application.unknown",
    finding: "There is no application with this client_id, or it is disabled.",
    advice: "Send the client_id as the operator gave it, and to the environment that it is registered at.",
  },
  {
    name: "redirect_uri.missing",
    finding: "The authorization request has no redirect_uri.",
    advice: "Send the redirect URI that is registered, also when there is only one.",
  },
  {
    name: "redirect_uri.repeated",
    finding: "The authorization request has more than one redirect_uri.",
    advice: "Send it once.",
  },
  {
    name: "redirect_uri.not_registered",
    finding: "The redirect URI is not registered for this application. It must be the same byte for byte.",
    advice: "Send one that is registered, or have this one registered: gatehouse applications redirect-uris add.",
  },
  {
    name: "interaction.gone",
    finding: "The sign-in was finished, timed out or never existed.",
    advice: BEGIN_ANEW,
  },
  {
    name: "interaction.elsewhere",
    finding: "The sign-in was begun in another browser, or its cookie was not sent.",
    advice: `${BEGIN_ANEW} Cookies must be allowed, and the pages must not be framed.`,
  },
  {
    name: "form.refused",
    finding: "The form did not come from our page, or was shown to somebody else.",
    advice: BEGIN_ANEW,
  },
  {
    name: "page.malformed",
    finding: "The address or the form of the page cannot be read, or lacks a part.",
    advice: `${BEGIN_ANEW} Addresses of these pages are not to be kept or built by hand.`,
  },
  {
    name: "address.unknown",
    finding: "No operation is offered at this address.",
    advice: "Take the addresses from /.well-known/openid-configuration.",
  },
  {
    name: "address.method",
    finding: "The address does not offer this method.",
    advice: "The allow header of the answer says which; most often it is GET in place of POST at the token endpoint.",
  },
  {
    name: "request.unreadable",
    finding: "The request could not be read as HTTP.",
    advice: "Look at the status of the answer.",
  },
  {
    name: "service.busy",
    said: "The service cannot answer at the moment.",
    finding: "Too much was going on at that moment.",
    advice: OURS,
  },
  { name: "service.failed", said: "Something went wrong on our side.", advice: OURS },
];
