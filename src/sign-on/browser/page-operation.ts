import { Failure } from "#runtime/basis/errors.ts";
import type { AnyReply, BrokenRequest, EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import { formTarget, pageHeaders } from "#runtime/pages/page-headers.ts";
import type { Log } from "#runtime/process/log.ts";
import type { CallOptions } from "#runtime/rpc/call.ts";
import type { EdgePageCheckName } from "../refusals/catalogue.ts";
import { toErrorWire } from "../refusals/error-wire.ts";
import { pageRefusal, refuse } from "../refusals/refused.ts";
import type { Cookies } from "./cookies.ts";
import { edgeCall } from "./edge-call.ts";
import { type ErrorPageValues, errorPage } from "./error-page.ts";
import { NO_STORE } from "./oauth-error.ts";
import type { PageLanguage } from "./page-language.ts";

/** What every page is made with: the language of its request too. */
export interface PageTools extends PageLanguage {
  readonly cookies: Cookies;
  readonly issuer: string;
  /** Whom people ask for help; the setting `support-contact`. */
  readonly supportContact: string | undefined;
  readonly log: Log;
}

/** Calls services once and answers with their decision. A failed call becomes an error page. */
type Answering<Request, Answer> = (request: Request, call: CallOptions) => Promise<Answer>;

interface ShownPage<Request, Answer> {
  readonly show: Answering<Request, Answer>;
  /** The page for an unreadable request. */
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

interface SubmittedForm<Request, Answer, RefusedAnswer> {
  readonly submit: Answering<Request, Answer>;
  /** Whether the origin of the form is allowed; unless given, only our own pages are (S10). */
  isAllowed?(request: EdgeRequest): boolean;
  /** The page for a form from a forbidden origin. */
  refused(request: EdgeRequest): RefusedAnswer;
  /** The page for an unreadable request; unless given, the same as `refused`. */
  unreadable?(request: EdgeRequest, parts: readonly InvalidPart[]): AnyReply;
}

/** POST of a form. A body of another media type is unreadable (S14). */
export const submitOperation = <
  Request extends EdgeRequest,
  Answer extends AnyReply,
  const RefusedAnswer extends AnyReply,
>(
  tools: PageTools,
  {
    submit,
    isAllowed = (request) => isOwnForm(request, tools.issuer),
    refused,
    unreadable = refused,
  }: SubmittedForm<Request, Answer, RefusedAnswer>,
) => ({
  handle: async (request: Request) =>
    isAllowed(request) ? answerOrFailurePage(request, tools, submit) : refusedByPage("form.refused", refused(request)),
  invalid: async (request: BrokenRequest, parts: readonly InvalidPart[]): Promise<AnyReply> =>
    parts[0]?.in === "header" ? noForm(request, tools) : refusedByPage("page.malformed", unreadable(request, parts)),
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

/** The page for a failed call: "try again in a moment", or "our fault". */
function failurePage(
  error: unknown,
  { requestId, operationId, path, rawQuery, rawForm }: EdgeRequest,
  tools: PageTools,
) {
  if (error instanceof Failure && error.retryAfterSeconds !== undefined) {
    // The interaction keeps the sign-in, so the same address continues it. The address of an application's form says
    // nothing of what the form asked for: a link there would lead to a mistake.
    const retryUrl = rawForm === "" ? `${path}?${rawQuery}` : undefined;
    const headers = { ...pageHeaders(), "retry-after": String(error.retryAfterSeconds) };
    return {
      status: 503,
      type: "text/html",
      headers,
      body: errorPage(
        { reason: "unavailable", requestId, retryUrl, supportContact: tools.supportContact },
        tools.texts,
      ),
    } as const;
  }
  // The process that decided a failure has logged it; any other error arose here.
  if (!(error instanceof Failure)) tools.log.error("A page failed at the edge.", { requestId, operationId, error });
  return errorPageReply(500, { reason: "serverError", requestId }, tools);
}

/** The page of a refusal that the edge decides by itself. */
const refusedByPage = <R extends AnyReply>(check: EdgePageCheckName, reply: R) => ({
  ...reply,
  refused: pageRefusal(check),
});

function noForm({ requestId }: EdgeRequest, { issuer }: PageTools) {
  const refused = refuse("body.media_type", { types: "application/x-www-form-urlencoded" });
  const body = toErrorWire(refused.error, refused.sentence, { requestId, issuer });
  return { status: 415, headers: NO_STORE, body, refused };
}

/**
 * A page as an answer. Its forms may redirect to `leadsTo` (scheme and host of the redirect URI) besides this origin.
 * @param script that the page may run; made by `scriptAddress`.
 */
export const page = <S extends 200 | 400 | 429>(status: S, body: string, leadsTo: string, script?: string) =>
  ({
    status,
    type: "text/html",
    headers: pageHeaders({ formTargets: [formTarget(leadsTo)], script }),
    body,
  }) as const;

/** An error page as an answer; the reference on it is the request id. */
export const errorPageReply = <S extends 400 | 500>(
  status: S,
  values: ErrorPageValues,
  { texts, supportContact }: PageTools,
) =>
  ({
    status,
    type: "text/html",
    headers: pageHeaders(),
    body: errorPage({ ...values, supportContact }, texts),
  }) as const;

/**
 * True when a form may have come from our own page: browsers say so by Sec-Fetch-Site, older ones by Origin. Without
 * either header the form token alone decides; a header that names another site is refused (S10).
 */
export function isOwnForm({ headers }: Pick<EdgeRequest, "headers">, issuer: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = headers;
  return origin === undefined || origin === issuer;
}
