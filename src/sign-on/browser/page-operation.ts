import { Failure } from "#runtime/basis/errors.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { AnyReply, BrokenRequest, EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import { formTarget, pageHeaders } from "#runtime/pages/page-headers.ts";
import type { CallOptions } from "#runtime/rpc/call.ts";
import type { EdgePageCheckName } from "../refusals/catalogue.ts";
import { pageRefusal, refuse } from "../refusals/refused.ts";
import type { Cookies } from "./cookies.ts";
import { edgeCall } from "./edge-call.ts";
import { type ErrorPageValues, errorPage } from "./error-page.ts";
import { isOwnForm } from "./form-origin.ts";
import { NO_STORE, oauthErrorBody } from "./oauth-error.ts";
import type { PageLanguage } from "./page-language.ts";

/** What every page is made with: the language of its request too. */
export interface PageTools extends PageLanguage {
  readonly cookies: Cookies;
  readonly issuer: string;
  readonly log: Log;
}

/** Asks services, once, and answers with what they decide. A failed call becomes a page that says so. */
type Answering<Request, Answer> = (request: Request, call: CallOptions) => Promise<Answer>;

interface ShownPage<Request, Answer> {
  readonly show: Answering<Request, Answer>;
  /** The page where the request cannot be read. */
  unreadable(request: EdgeRequest): AnyReply;
}

/** GET of a page. */
export const showOperation = <Request extends EdgeRequest, Answer extends AnyReply>(
  tools: PageTools,
  { show, unreadable }: ShownPage<Request, Answer>,
) => ({
  handle: (request: Request) => answerOrFailurePage(request, tools, show),
  invalid: async (request: BrokenRequest) => refusedByPage("page.malformed", unreadable(request)),
});

interface SubmittedForm<Request, Answer, Refusal> {
  readonly submit: Answering<Request, Answer>;
  /** Whether the form may come from where it came from: from our own page, unless given (S10). */
  isWelcome?(request: EdgeRequest): boolean;
  /** The page for a form that is not welcome. */
  refused(request: EdgeRequest): Refusal;
  /** The page where the request cannot be read; the same unless given. */
  unreadable?(request: EdgeRequest, parts: readonly InvalidPart[]): AnyReply;
}

/** POST of a form. One of another media type is no form at all (S14). */
export const submitOperation = <Request extends EdgeRequest, Answer extends AnyReply, const Refusal extends AnyReply>(
  tools: PageTools,
  {
    submit,
    isWelcome = (request) => isOwnForm(request, tools.issuer),
    refused,
    unreadable = refused,
  }: SubmittedForm<Request, Answer, Refusal>,
) => ({
  handle: async (request: Request) =>
    isWelcome(request) ? answerOrFailurePage(request, tools, submit) : refusedByPage("form.refused", refused(request)),
  invalid: async (request: BrokenRequest, parts: readonly InvalidPart[]): Promise<AnyReply> =>
    parts[0]?.in === "header" ? noForm() : refusedByPage("page.malformed", unreadable(request, parts)),
});

async function answerOrFailurePage<Request extends EdgeRequest, Answer extends AnyReply>(
  request: Request,
  tools: PageTools,
  answer: Answering<Request, Answer>,
) {
  try {
    return await answer(request, edgeCall(request));
  } catch (error) {
    return failurePage(error, request, tools);
  }
}

/** What a failed call becomes for a person: "try again in a moment", or "our fault". */
function failurePage(error: unknown, { requestId, operationId, path, rawQuery }: EdgeRequest, tools: PageTools) {
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

/** The page of a refusal that the edge decides by itself. */
const refusedByPage = <R extends AnyReply>(check: EdgePageCheckName, reply: R) => ({
  ...reply,
  refused: pageRefusal(check),
});

function noForm() {
  const refused = refuse("body.media_type", { types: "application/x-www-form-urlencoded" });
  return { status: 415, headers: NO_STORE, body: oauthErrorBody(refused.error, refused.sentence), refused };
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
