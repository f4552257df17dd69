import { AUTHORIZATION_CHECKS } from "./authorization-checks.ts";
import type { Check, ErrorCheck, ErrorCode } from "./check.ts";
import { PAGE_CHECKS } from "./page-checks.ts";
import { TOKEN_CHECKS } from "./token-checks.ts";

/** Every check that can refuse a request, by name: the one place for its error code, its sentence and what operators read about it. */
export const CHECKS = {
  ...AUTHORIZATION_CHECKS,
  ...TOKEN_CHECKS,
  ...PAGE_CHECKS,
} as const satisfies Readonly<Record<string, Check>>;

type Checks = typeof CHECKS;

export type CheckName = keyof Checks;

/** Checks that refuse with one of these error codes. */
export type ErrorCheckName<E extends ErrorCode = ErrorCode> = {
  [N in CheckName]: Checks[N] extends { readonly error: E } ? N : never;
}[CheckName];

/** Checks that services refuse by with an error page. */
export type PageCheckName = {
  [N in CheckName]: Checks[N] extends { readonly page: string } ? N : never;
}[CheckName];

/** Checks of the edge that refuse with an error page of its own. */
export type EdgePageCheckName = Exclude<CheckName, ErrorCheckName>;

export type ErrorOf<N extends ErrorCheckName> = Checks[N]["error"];

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

type PlaceholdersOf<N extends ErrorCheckName> = N extends ErrorCheckName
  ?
      | Placeholders<Checks[N]["sentence"]>
      | (Checks[N] extends { readonly detail: infer Detail } ? Placeholders<Detail> : never)
  : never;

/** The arguments of a refusal by the check: a value for each placeholder, or none. */
export type ValuesOf<N extends ErrorCheckName> = [PlaceholdersOf<N>] extends [never]
  ? readonly []
  : readonly [values: Readonly<Record<PlaceholdersOf<N>, string | number>>];

/** The row of a check, with the members that all rows have. */
export const errorCheck = (name: ErrorCheckName): ErrorCheck => CHECKS[name];

const GENERAL_ADVICE = "The standard that the error code comes from says what it asks for; the contract is at /docs.";

/** Names that earlier versions noted, by the check that has their place now. */
const FORMERLY: Readonly<Record<string, CheckName>> = { "application.not_proven": "application.header_malformed" };

/**
 * What operators read about a stored refusal. A check that is unknown because another version stored the refusal is
 * explained by the sentence of its answer.
 */
export function wordsOf(name: string, sentence: string): { readonly finding: string; readonly advice: string } {
  const now = Object.hasOwn(FORMERLY, name) ? FORMERLY[name] : name;
  const check: Check | undefined = Object.hasOwn(CHECKS, now ?? name) ? CHECKS[now as CheckName] : undefined;
  if (check === undefined) return { finding: sentence, advice: GENERAL_ADVICE };
  // If the answer's sentence was not stored, its placeholders are shown as ellipses.
  const finding = check.finding ?? (sentence || check.sentence.replaceAll(/\{\w+\}/g, "…"));
  return { finding, advice: check.advice };
}
