import { hash } from "node:crypto";
import type { JWTHeaderParameters, JWTPayload } from "jose";
import { recentlyUsed } from "#runtime/basis/recently-used.ts";

/** A token whose signature, header and claims are right: this process signed or verified it. */
export interface VerifiedSignature {
  readonly header: Pick<JWTHeaderParameters, "kid" | "alg">;
  readonly payload: JWTPayload;
}

/**
 * Access tokens that this process has signed or verified, by the digest of all of their text: their signatures need not be
 * computed again. Nothing that can change is remembered; whether key, time, family and person are still good is asked
 * each time.
 */
export interface VerifiedSignatures {
  find(token: string): VerifiedSignature | undefined;
  remember(token: string, verified: VerifiedSignature): void;
}

/** About a kilobyte each. */
const REMEMBERED_MAX = 10_000;

/** The one that was not asked for the longest time gives way. */
export function verifiedSignatures(most = REMEMBERED_MAX): VerifiedSignatures {
  const remembered = recentlyUsed<string, VerifiedSignature>(most);
  const nameOf = (token: string): string => hash("sha256", token, "base64");
  return {
    find: (token) => remembered.get(nameOf(token)),
    remember: (token, verified) => void remembered.set(nameOf(token), verified),
  };
}
