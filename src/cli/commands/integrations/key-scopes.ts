import type { Option } from "commander";
import { ApiKeyScope } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { type LowerEnumWord, lowerWordOf, lowerWordsOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { repeatedChoice } from "../../input/flags.ts";

export type ScopeWord = LowerEnumWord<typeof ApiKeyScope>;

/** `--scope`, of an API key. */
export const keyScopeOption = (subject: string, byDefault: string): Option =>
  repeatedChoice(
    "--scope <scope>",
    `what ${subject} may be used for: read what the gateway shows, manage own webhooks (default: ${byDefault})`,
    lowerWordsOf(ApiKeyScope),
  );

export const toKeyScopes = (words: readonly ScopeWord[]): ApiKeyScope[] =>
  words.map((word) => valueOfLower(ApiKeyScope, word));

export const toScopeWords = (scopes: readonly ApiKeyScope[]): readonly string[] =>
  scopes.map((scope) => lowerWordOf(ApiKeyScope, scope) ?? "unknown");

export const isSameScopes = (some: readonly ApiKeyScope[], others: readonly ApiKeyScope[]): boolean =>
  some.every((scope) => others.includes(scope)) && others.every((scope) => some.includes(scope));
