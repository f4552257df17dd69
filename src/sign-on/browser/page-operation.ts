import { ErrorPageReason, type NextStep } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import { formTarget, pageHeaders } from "#runtime/pages/page-headers.ts";
import { refuse } from "../refusals/refused.ts";
import { refusedByPage } from "./edge-refusals.ts";
import { type ErrorPageValues, errorPage } from "./error-page.ts";
import { NO_STORE, oauthErrorBody } from "./oauth-error.ts";
import type { PageLanguage } from "./page-language.ts";

export interface PageTools extends PageLanguage {
  readonly log: Log;
}

/** A page as an answer. Its forms may lead to `leadsTo` (scheme and host of the redirect URI) besides this origin. */
export const page = <S extends 200 | 400 | 429>(status: S, body: string, leadsTo: string) =>
  ({
    status,
    type: "text/html",
    headers: pageHeaders({ formTargets: [formTarget(leadsTo)] }),
    body,
  }) as const;

/** An error page as an answer; the reference on it is the request id. */
export const errorPageReply = <S extends 400 | 500>(status: S, values: ErrorPageValues, { texts }: PageTools) =>
  ({ status, type: "text/html", headers: pageHeaders(), body: errorPage(values, texts) }) as const;

/** What a failed call becomes for a person: "try again in a moment", or "our fault". */
export function failurePage(error: unknown, { requestId, operationId, path, rawQuery }: EdgeRequest, tools: PageTools) {
  if (error instanceof Failure && error.retryAfterSeconds !== undefined) {
    // The sign-in is kept by its interaction, so the same address goes on where the person was.
    const retryUrl = `${path}?${rawQuery}`;
    const headers = { ...pageHeaders(), "retry-after": String(error.retryAfterSeconds) };
    return {
      status: 503,
      type: "text/html",
      headers,
      body: errorPage({ reason: "unavailable", requestId, retryUrl }, tools.texts),
    } as const;
  }
  // A failure was logged by the process that decided it; anything else happened here.
  if (!(error instanceof Failure)) tools.log.error("A page failed at the edge.", { requestId, operationId, error });
  return errorPageReply(500, { reason: "serverError", requestId }, tools);
}

/** What becomes of a form that breaks the contract: none of our pages sent it. One of another media type is no form at all (S14). */
export const brokenForm = (requestId: string, [first]: readonly InvalidPart[], tools: PageTools) =>
  first?.in === "header"
    ? noForm()
    : refusedByPage(
        "page.malformed",
        errorPageReply(400, { reason: "ERROR_PAGE_REASON_FORM_REFUSED", requestId }, tools),
      );

function noForm() {
  const refused = refuse("body.media_type", { types: "application/x-www-form-urlencoded" });
  return { status: 415, headers: NO_STORE, body: oauthErrorBody(refused.error, refused.sentence), refused };
}

/** The step after a form that is not ours or cannot be read. */
export const formRefused: NextStep = {
  step: { $case: "errorPage", value: { reason: ErrorPageReason.ERROR_PAGE_REASON_FORM_REFUSED } },
};
