import { AUTHORIZATION_CHECKS } from "./authorization-checks.ts";
import type { Check } from "./check.ts";
import { PAGE_CHECKS } from "./page-checks.ts";
import { TOKEN_CHECKS } from "./token-checks.ts";

const ALL: readonly Check[] = [...TOKEN_CHECKS, ...AUTHORIZATION_CHECKS, ...PAGE_CHECKS];
/** Where a sentence is general and another one more exact, the exact one counts. */
const BY_SAID: readonly Check[] = [...ALL].sort((one, other) => precision(other) - precision(one));

function precision({ said, detail }: Check): number {
  if (detail !== undefined) return 3;
  return typeof said === "string" ? 2 : 1;
}

/** What is known of a refusal where it is decided. */
export interface Refused {
  /** The error code of the answer; empty where it was a page. */
  readonly error: string;
  /** The public sentence. */
  readonly sentence: string;
  readonly detail?: string | undefined;
}

/** The check behind a refusal; one that this table does not know goes by its error code. */
export function checkOf({ error, sentence, detail }: Refused): string {
  const found = BY_SAID.find(
    (check) =>
      (check.detail !== undefined && check.detail === detail) ||
      (check.detail === undefined && check.said !== undefined && fits(check.said, sentence)),
  );
  return found?.name ?? `unnamed.${error}`;
}

/** What operators are told of a check; of an unnamed one, what the answer said. */
export function wordsOf(name: string, sentence: string): { readonly finding: string; readonly advice: string } {
  const named = ALL.filter((check) => check.name === name);
  const check = named.find(({ said }) => said !== undefined && fits(said, sentence)) ?? named[0];
  return {
    finding: check?.finding ?? sentence,
    advice:
      check?.advice ??
      "The standard that the error code comes from says what it asks for; the contract stands at /docs.",
  };
}

const fits = (said: string | RegExp, sentence: string): boolean =>
  typeof said === "string" ? said === sentence : said.test(sentence);
