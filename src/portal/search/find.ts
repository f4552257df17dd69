import MiniSearch from "minisearch";
import { type Findable, findables } from "./findable.ts";
import { likelySpelling } from "./spelling.ts";
import { ANSWERS, FILLING, SYNONYMS } from "./typed-words.ts";

/**
 * Each word costs a walk through all words that begin with it, and so does each part of a name such as `user.updated`: fifty
 * of one letter would keep the edge busy for 60 ms. So many words count, and as many parts. The longest say most.
 */
const WORDS_MAX = 8;
/** In so many words a phrase of the table is looked for. */
const PHRASE_WORDS_MAX = 8;

/** The score of what is shown, as a part of the best one's. */
const WORTH_SHOWING = 0.1;
/** A name says little of what somebody without our words looks for, and everything to who types it whole. */
const BESIDE_TITLES = { title: 4, summary: 2, names: 0.5 } as const;

/** The words of a text: what is between spaces and the marks that are part of no name. */
const wordsOf = (text: string): readonly string[] => text.split(/[\s,;:()"`*{}/?=]+/);

const partsOf = (word: string): readonly string[] => word.split(/[-._]+/);

/** A word and its parts: names such as if-none-match and user.updated are found whole and by their parts. */
const termsOf = (word: string): readonly string[] => [word, ...partsOf(word)];

/** The longest of these, each once. */
const longestOf = (words: readonly string[]): readonly string[] =>
  [...new Set(words)].toSorted((one, other) => other.length - one.length).slice(0, WORDS_MAX);

/** What was typed without the filling words of a question; all of it when nothing else is left. */
const withoutFilling = (typed: readonly string[]): readonly string[] => {
  const said = typed.filter((word) => !FILLING.has(word));
  return said.length === 0 ? typed : said;
};

/** The places that answer a phrase. */
const PLACES = new Map(ANSWERS.flatMap(([typed, ...places]) => typed.split(", ").map((phrase) => [phrase, places])));

/** What the tables know, one word or several. */
const KNOWN = [...new Set([...PLACES.keys(), ...Object.keys(SYNONYMS)])];

/** What a word means. A plain look-up would find what every object has, such as `constructor`. */
const meaningOf = (word: string): string => (Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? "") : "");

/** The places that answer what was typed: all of it, or else phrases within it. The longest phrase says most. */
const placesFor = (typed: readonly string[]): readonly string[] => {
  const whole = PLACES.get(typed.join(" "));
  if (whole !== undefined) return whole;
  const said = typed.slice(0, PHRASE_WORDS_MAX);
  const phrases = said.flatMap((_, start) => said.slice(start).map((_, rest) => said.slice(start, start + rest + 1)));
  return phrases
    .toSorted((one, other) => other.length - one.length)
    .flatMap((phrase) => PLACES.get(phrase.join(" ")) ?? []);
};

/**
 * Makes the search over everything in the documentation. The best comes first; without any text, everything in order;
 * nothing for a text without words. What finds nothing may be a mistake in a word that the tables know: then that is
 * looked for.
 */
export function makeFinder(): (words: string) => readonly Findable[] {
  const all = findables();
  const index = new MiniSearch<Findable & { readonly id: number }>({
    fields: ["title", "summary", "text", "names"],
    extractField: (one, field) =>
      field === "names"
        ? (one.names ?? []).join(" ")
        : String((field === "title" ? one.name : undefined) ?? one[field as keyof typeof one] ?? ""),
    tokenize: (text) => wordsOf(text).flatMap(termsOf),
    processTerm: (term) => term.toLowerCase() || null,
  });
  index.addAll(all.map((one, id) => ({ ...one, id })));
  const search = (words: readonly string[]): readonly Findable[] => {
    const typed = withoutFilling(words);
    const telling = longestOf(typed);
    const parts = new Set(longestOf(telling.flatMap(partsOf).filter((part) => !telling.includes(part))));
    const options = {
      prefix: true,
      fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
      boost: BESIDE_TITLES,
      tokenize: (word: string) => termsOf(word).filter((term) => telling.includes(term) || parts.has(term)),
    };
    const each = telling.map((word) => ({
      combineWith: "OR" as const,
      queries: [
        { ...options, queries: [word], combineWith: "OR" as const },
        // What is meant, whole and exact: it weighs less than what was typed.
        {
          queries: meaningOf(word).split(" ").filter(Boolean),
          combineWith: "OR" as const,
          boost: { title: 2 },
          prefix: false,
          fuzzy: false as const,
        },
      ],
    }));
    const every = index.search({ combineWith: "AND", queries: each });
    const found = every.length > 0 ? every : index.search({ combineWith: "OR", queries: each });
    const best = found[0]?.score ?? 0;
    const good = found
      .filter(({ score }) => score >= best * WORTH_SHOWING)
      .flatMap(({ id }) => all[id as number] ?? []);
    const answers = [...new Set(placesFor(typed))].flatMap(
      (place) => all.find(({ href }) => href === `/docs/guides/${place}`) ?? [],
    );
    return [...answers, ...good.filter((one) => !answers.includes(one))];
  };
  return (text) => {
    if (text.trim() === "") return all;
    const words = wordsOf(text.toLowerCase()).filter((word) => /[\p{L}\p{N}]/u.test(word));
    const found = search(words);
    if (found.length > 0) return found;
    const meant = likelySpelling(withoutFilling(words).join(" "), KNOWN);
    return meant === undefined ? [] : search(meant.split(" "));
  };
}
