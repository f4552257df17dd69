import MiniSearch from "minisearch";
import { type Findable, findables } from "./findable.ts";

/** What people type, and the words of the contracts that mean it. Each key is one word in lower case. */
const SYNONYMS: Readonly<Record<string, string>> = {
  pagination: "limit cursor link",
  paging: "limit cursor link",
  pages: "limit cursor link",
  paginate: "limit cursor link",
  rotate: "keys replaced expired signature",
  rotation: "keys replaced expired signature",
  renew: "key secret expired refresh",
  retry: "attempt attempts retry-after",
  retries: "attempt attempts retry-after",
  redeliver: "attempt attempts",
  logout: "out sign-out logout",
  signout: "out sign-out logout",
  logoff: "out sign-out logout",
  login: "sign authorize",
  signin: "sign authorize",
  sso: "sign authorize",
  rate: "ratelimit limit requests",
  throttle: "ratelimit too many requests",
  throttling: "ratelimit too many requests",
  quota: "ratelimit too many requests",
  tenant: "client",
  tenants: "clients",
  company: "client",
  companies: "clients",
  customer: "client",
  employee: "worker",
  employees: "workers",
  staff: "workers",
  department: "unit organization structure",
  departments: "units organization structure",
  team: "unit organization structure",
  office: "location",
  webhook: "event endpoint",
  webhooks: "event endpoint",
  callback: "redirect",
  hmac: "signature",
  verify: "signature verify",
  verification: "signature verify",
  replay: "webhook-timestamp",
  duplicate: "deduplicate",
  duplicates: "deduplicate",
  order: "order upsert",
  etag: "etag if-none-match",
  cache: "etag if-none-match",
  caching: "etag if-none-match",
  conditional: "etag if-none-match",
  idempotency: "deduplicate webhook-id",
  apikey: "x-api-key key",
  authentication: "x-api-key token secret",
  auth: "authorize token x-api-key",
  logon: "sign authorize",
  jwt: "token access",
  sdk: "sdk sdks",
  sdks: "sdk",
  library: "sdk sdks",
  libraries: "sdk sdks",
  package: "sdk sdks",
  npm: "sdk sdks",
  pip: "sdk sdks",
  maven: "sdk sdks",
  openapi: "contract gateway sign-on",
  swagger: "contract gateway sign-on",
  postman: "contract gateway mock",
  asyncapi: "contract events",
  localhost: "desk local listen",
  tunnel: "desk local listen",
  sandbox: "mock demo",
  staging: "mock demo",
  filter: "filter type types",
  filters: "filter type types",
  filtering: "filter type types",
  register: "onboard operator ask",
  registration: "onboard operator ask",
  onboarding: "onboard operator ask",
  onboard: "onboard operator ask",
  handover: "hand-over operator ask",
  password: "password person",
  passwords: "password person",
  pkce: "code_challenge code_verifier",
  profile: "userinfo claims",
  gone: "deleted ended",
  terminated: "ended",
  offboarding: "ended",
  hired: "onboarded",
};

const PAGES_OF_A_LIST = ["read-the-gateway#page-through-a-list"];
const LIMITS = ["read-the-gateway#when-there-are-too-many-requests"];
const SIGNING_OUT = ["sign-people-in#sign-the-person-out"];
const SIGNATURES = ["receive-events#verify-then-parse"];
const REPLACING = [
  "keys-and-secrets#an-api-key",
  "keys-and-secrets#a-client-secret",
  "keys-and-secrets#a-signing-secret",
];
const AN_SDK = ["read-the-gateway#with-an-sdk"];
const WITHOUT_THE_REAL_ONE = ["test-against-the-mock#choose-one"];
const REPEATING = ["read-the-gateway#wait-then-repeat", "receive-events#acknowledge"];

/** Where the guides answer a search: these come first, since a score by words cannot see which section explains it. */
export const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  paging: PAGES_OF_A_LIST,
  pagination: PAGES_OF_A_LIST,
  cursor: PAGES_OF_A_LIST,
  rotate: REPLACING,
  rotation: REPLACING,
  renew: REPLACING,
  retry: REPEATING,
  retries: REPEATING,
  logout: SIGNING_OUT,
  signout: SIGNING_OUT,
  "sign out": SIGNING_OUT,
  "log out": SIGNING_OUT,
  "rate limit": LIMITS,
  "rate limits": LIMITS,
  "rate limiting": LIMITS,
  throttling: LIMITS,
  refresh: ["sign-people-in#keep-the-person-signed-in"],
  npm: AN_SDK,
  pip: AN_SDK,
  maven: AN_SDK,
  sandbox: WITHOUT_THE_REAL_ONE,
  staging: WITHOUT_THE_REAL_ONE,
  localhost: ["local-development#listen"],
  signature: SIGNATURES,
  signatures: SIGNATURES,
  hmac: SIGNATURES,
};

/**
 * Each word costs a walk through all words that begin with it, and so does each part of a name such as `user.updated`: fifty
 * of one letter would keep the edge busy for 60 ms. So many words count, and as many parts. The longest say most.
 */
const WORDS_MAX = 8;

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

/** The row of a table for what was typed. A plain look-up would find what every object has, such as `constructor`. */
const rowOf = <T>(table: Readonly<Record<string, T>>, typed: string): T | undefined =>
  Object.hasOwn(table, typed) ? table[typed] : undefined;

/**
 * Makes the search over everything in the documentation. The best comes first; without any text, everything in order;
 * nothing for a text without words.
 */
export function makeFinder(all: readonly Findable[] = findables()): (words: string) => readonly Findable[] {
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
  return (text) => {
    if (text.trim() === "") return all;
    const typed = wordsOf(text.toLowerCase()).filter((word) => /[\p{L}\p{N}]/u.test(word));
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
          queries: (rowOf(SYNONYMS, word) ?? "").split(" ").filter(Boolean),
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
    const answers = (rowOf(ANSWERS, typed.join(" ")) ?? []).flatMap(
      (place) => all.find(({ href }) => href === `/docs/guides/${place}`) ?? [],
    );
    return [...answers, ...good.filter((one) => !answers.includes(one))];
  };
}
