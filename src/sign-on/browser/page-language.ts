import type { AnyReply, BrokenRequest, EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import type { Texts } from "../texts/en.ts";
import { LANGUAGES, textsForAcceptLanguage, textsForLocales } from "../texts/languages.ts";

/** The language of the pages of one request. */
export interface PageLanguage {
  readonly texts: Texts;
  /**
   * The tag of that language when the request itself asks for it; `undefined` when the browser's settings or the
   * default decide.
   */
  readonly askedLanguage: string | undefined;
}

/** By `ui_locales` in the address, or in the form of an application's page, else by `Accept-Language`, else English (R-X128). */
export function languageOf({
  rawQuery,
  rawForm,
  headers,
}: Pick<EdgeRequest, "rawQuery" | "rawForm" | "headers">): PageLanguage {
  const asked = textsForLocales(uiLocalesIn(rawQuery) ?? uiLocalesIn(rawForm) ?? "");
  if (asked !== undefined) return { texts: asked, askedLanguage: asked.language };
  const accepted = headers["accept-language"];
  const header = typeof accepted === "string" ? accepted : (accepted?.join(",") ?? "");
  return { texts: textsForAcceptLanguage(header) ?? LANGUAGES[0], askedLanguage: undefined };
}

// Most requests have none, and are not parsed for it.
const uiLocalesIn = (encoded: string): string | undefined =>
  encoded.includes("ui_locales=") ? (new URLSearchParams(`?${encoded}`).get("ui_locales") ?? undefined) : undefined;

/** An address of ours that carries the asked language to the next page. */
export const inLanguage = (address: string, { askedLanguage }: Pick<PageLanguage, "askedLanguage">): string =>
  askedLanguage === undefined ? address : `${address}${address.includes("?") ? "&" : "?"}ui_locales=${askedLanguage}`;

/** An operation that answers with pages, whatever its contract. */
interface PageOperation<Request extends EdgeRequest, Answer extends AnyReply> {
  handle(request: Request): Promise<Answer>;
  invalid(request: BrokenRequest, parts: readonly InvalidPart[]): Promise<AnyReply>;
  readonly unchecked?: boolean;
}

/** An operation that is built for the language of each request; every page declares its language (RFC 9110 §8.5). */
function inItsLanguage<Request extends EdgeRequest, Answer extends AnyReply>(
  make: (language: PageLanguage) => PageOperation<Request, Answer>,
): PageOperation<Request, Answer> {
  const { unchecked = false } = make({ texts: LANGUAGES[0], askedLanguage: undefined });
  return {
    unchecked,
    async handle(request) {
      const language = languageOf(request);
      return withContentLanguage(await make(language).handle(request), language);
    },
    async invalid(request, parts) {
      const language = languageOf(request);
      return withContentLanguage(await make(language).invalid(request, parts), language);
    },
  };
}

/** Builds operations that answer with pages, each with these tools and the language of its request. */
export const pagesWith =
  <Tools extends object>(tools: Tools) =>
  <Request extends EdgeRequest, Answer extends AnyReply>(
    make: (own: Tools & PageLanguage) => PageOperation<Request, Answer>,
  ): PageOperation<Request, Answer> =>
    inItsLanguage((language) => make({ ...tools, ...language }));

const withContentLanguage = <Answer extends AnyReply>(answer: Answer, { texts }: PageLanguage): Answer =>
  answer.type === "text/html"
    ? { ...answer, headers: { ...answer.headers, "content-language": texts.language } }
    : answer;
