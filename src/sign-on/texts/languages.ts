import { parseWeightedList } from "#runtime/basis/weighted-list.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";

/** The languages of the pages; the first is the default. A further one is a file beside these, and an entry here. */
export const LANGUAGES = [en, de] as const satisfies readonly [Texts, ...Texts[]];

/** Their BCP 47 tags, as the discovery document lists them. */
export const LANGUAGE_TAGS: readonly string[] = LANGUAGES.map(({ language }) => language);

/** How much of a header or parameter is read, in characters and in languages; the rest is ignored. */
const WISH_LENGTH_MAX = 1_024;
const RANGES_MAX = 32;

/**
 * The texts for `ui_locales`: BCP 47 tags, the best first, separated by spaces (OIDC Core §3.1.2.1). `undefined` when we have none of
 * these languages, which is not a mistake.
 */
export const textsForLocales = (uiLocales: string): Texts | undefined =>
  firstFound(uiLocales.slice(0, WISH_LENGTH_MAX).split(" ").slice(0, RANGES_MAX));

/**
 * The texts for the header `Accept-Language` (RFC 9110 §12.5.4): by falling weight, equal ones in their order.
 * Malformed entries and those of weight 0 are ignored. `undefined` when we have none of these languages.
 */
export function textsForAcceptLanguage(header: string): Texts | undefined {
  const ranges = parseWeightedList(header.slice(0, WISH_LENGTH_MAX))
    .slice(0, RANGES_MAX)
    .filter(({ value, parameters, weight }) => LANGUAGE_RANGE.test(value) && parameters.length === 0 && weight > 0);
  return firstFound(ranges.toSorted((one, other) => other.weight - one.weight).map(({ value }) => value));
}

const LANGUAGE_RANGE = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/;

function firstFound(ranges: readonly string[]): Texts | undefined {
  for (const range of ranges) {
    const found = lookUp(range);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** By look-up (RFC 4647 §3.4): the tag itself, then without its last part, and without a single letter that then ends it. */
function lookUp(range: string): Texts | undefined {
  const parts = range.toLowerCase().split("-");
  while (parts.length > 0) {
    const tag = parts.join("-");
    const found = LANGUAGES.find(({ language }) => language.toLowerCase() === tag);
    if (found !== undefined) return found;
    parts.pop();
    if (parts.at(-1)?.length === 1) parts.pop();
  }
  return undefined;
}
