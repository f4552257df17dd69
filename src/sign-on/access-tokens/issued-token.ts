import type { AuthenticatedApplication } from "../applications/application.ts";
import { findRefreshToken, isRefreshToken, type PresentedTokenDeps } from "../refresh-tokens/presented-token.ts";
import type { TokenState } from "../refresh-tokens/refresh-token.ts";
import type { TokenFamily } from "../refresh-tokens/token-family.ts";
import type { TokenFamilyRepository } from "../refresh-tokens/token-family-repository.ts";
import { Refused } from "../refusals/refused.ts";
import { type VerifiedAccessToken, type VerifyDeps, verifyAccessToken } from "./verify-access-token.ts";

/** A token of either kind, issued to the application that presents it, of a live family. */
export type IssuedToken =
  | { readonly kind: "refreshToken"; readonly state: TokenState; readonly family: TokenFamily }
  | { readonly kind: "accessToken"; readonly verified: VerifiedAccessToken; readonly family: TokenFamily };

export interface IssuedTokenDeps extends VerifyDeps, PresentedTokenDeps {
  readonly families: Pick<TokenFamilyRepository, "findLive" | "findLiveBehind">;
}

/**
 * Finds the application's token by its text. No hint is needed: a refresh token has its prefix, and any other text is
 * checked as an access token (RFC 7009 §2.1, RFC 7662 §2.1). `undefined` for a token that is unknown, has ended, or was
 * issued to another application.
 */
export async function findIssuedToken(
  deps: IssuedTokenDeps,
  token: string,
  application: AuthenticatedApplication,
): Promise<IssuedToken | undefined> {
  const found = isRefreshToken(token) ? await refreshToken(deps, token) : await accessToken(deps, token);
  return found?.family.applicationId === application.id ? found : undefined;
}

async function refreshToken(deps: IssuedTokenDeps, token: string): Promise<IssuedToken | undefined> {
  const found = await findRefreshToken(deps, token);
  return found && { kind: "refreshToken", state: found.state, family: found.family };
}

async function accessToken(deps: IssuedTokenDeps, token: string): Promise<IssuedToken | undefined> {
  try {
    const verified = await verifyAccessToken(deps, token);
    return { kind: "accessToken", verified, family: verified.family };
  } catch (error) {
    if (error instanceof Refused && error.error === "invalid_token") return undefined;
    throw error;
  }
}
