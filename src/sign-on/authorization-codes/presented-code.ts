import { digestOf, sameDigest } from "../digest.ts";
import { type EarlierTokenRepository, isEarlierForm } from "../token-numbers/earlier-token-repository.ts";
import type { NumberedTokens } from "../token-numbers/numbered-tokens.ts";
import type { StoredAuthorizationCode } from "./authorization-code.ts";
import type { AuthorizationCodeRepository } from "./authorization-code-repository.ts";

export interface PresentedCodeDeps {
  readonly codes: Pick<AuthorizationCodeRepository, "find">;
  readonly tokens: Pick<NumberedTokens, "readCode">;
  readonly earlier: Pick<EarlierTokenRepository, "findCode">;
}

/** Compared where no code is, so that both refusals take the same time. */
const NO_CODE = digestOf("no code has this digest");

/**
 * The code of a text, redeemed ones too; `undefined` for any other text, after the same work. Once a code is redeemed
 * its digest is gone, and the text is proven by its place, which only we can write (decision 0052).
 */
export async function findCode(
  { codes, tokens, earlier }: PresentedCodeDeps,
  text: string,
): Promise<StoredAuthorizationCode | undefined> {
  const digest = digestOf(text);
  const { number } = isEarlierForm(text) ? await earlier.findCode(digest) : tokens.readCode(text);
  const code = await codes.find(number);
  const same = sameDigest(digest, code?.digest ?? NO_CODE);
  return code?.isRedeemed || same ? code : undefined;
}
