/** A sample as a reader of the page would copy it. */
export interface ServedSample {
  /** The end of its place in the page: an operation or an event, in small letters. */
  readonly entry: string;
  /** In small letters. */
  readonly language: string;
  readonly code: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

const textOf = (markup: string): string =>
  markup.replaceAll(/<[^>]+>/g, "").replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? "");

/** Every article of a page of the reference, by the end of its anchor. */
export const articlesOf = (page: string): ReadonlyMap<string, string> =>
  new Map(
    [...page.matchAll(/<article class="topic" id="([^"]+)">(.*?)<\/article>/gs)].map(([, id = "", markup = ""]) => [
      id.slice(id.lastIndexOf("/") + 1),
      markup,
    ]),
  );

/** Every sample of a page of the reference, in the order of the page. */
export const samplesIn = (page: string): readonly ServedSample[] =>
  [...articlesOf(page)].flatMap(([entry, article]) =>
    [...article.matchAll(/<figure class="sample language (\w+)">.*?<pre><code>(.*?)<\/code><\/pre>/gs)].map(
      ([, language = "", markup = ""]) => ({ entry, language, code: textOf(markup) }),
    ),
  );
