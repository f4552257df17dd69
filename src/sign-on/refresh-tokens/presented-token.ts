import type { Clock } from "#runtime/basis/clock.ts";
import { digestOf } from "../digest.ts";
import { type EarlierTokenRepository, isEarlierForm } from "../token-numbers/earlier-token-repository.ts";
import { NOWHERE, type NumberedTokens, REFRESH_PREFIX, type TokenPlace } from "../token-numbers/numbered-tokens.ts";
import { stateOf, type TokenState } from "./refresh-token.ts";
import type { TokenFamily } from "./token-family.ts";
import type { TokenFamilyRepository } from "./token-family-repository.ts";

/** A refresh token that was issued here, and what it is to its family. */
export interface PresentedToken {
  readonly place: TokenPlace;
  readonly family: TokenFamily;
  readonly state: TokenState;
}

export interface PresentedTokenDeps {
  readonly families: Pick<TokenFamilyRepository, "findLive">;
  readonly tokens: Pick<NumberedTokens, "readRefreshToken" | "refreshTokens">;
  readonly earlier: Pick<EarlierTokenRepository, "findRefreshToken">;
  readonly clock: Clock;
}

export const isRefreshToken = (text: string): boolean => text.startsWith(REFRESH_PREFIX);

/** Where a refresh token belongs by its text; `NOWHERE` for any other text. */
export async function placeOf(
  { tokens, earlier }: Pick<PresentedTokenDeps, "tokens" | "earlier">,
  text: string,
): Promise<TokenPlace> {
  if (!isRefreshToken(text)) return NOWHERE;
  return isEarlierForm(text.slice(REFRESH_PREFIX.length))
    ? earlier.findRefreshToken(digestOf(text))
    : tokens.readRefreshToken(text);
}

/** The refresh token of a text, if it is one of a live family; else `undefined`, after the same work. */
export async function findRefreshToken(deps: PresentedTokenDeps, text: string): Promise<PresentedToken | undefined> {
  const { families, tokens, clock } = deps;
  const place = await placeOf(deps, text);
  const family = await families.findLive(place.number, clock.now());
  const state = stateOf(tokens, text, place, family ?? NO_FAMILY);
  return family === undefined || state === undefined ? undefined : { place, family, state };
}

/** Compared where no family is, so that both refusals take the same time. */
const NO_FAMILY = {
  generation: 1,
  current: { digest: digestOf("no refresh token has this digest"), issuedAt: new Date(0), expiresAt: new Date(0) },
  replacement: undefined,
};
