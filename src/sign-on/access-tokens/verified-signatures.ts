import { createHash } from "node:crypto";
import type { JWTHeaderParameters, JWTPayload } from "jose";

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
  const remembered = new Map<string, VerifiedSignature>();
  const nameOf = (token: string): string => createHash("sha256").update(token).digest("base64");
  const put = (name: string, verified: VerifiedSignature): void => {
    remembered.delete(name);
    remembered.set(name, verified);
  };
  return {
    find(token) {
      const name = nameOf(token);
      const known = remembered.get(name);
      if (known !== undefined) put(name, known);
      return known;
    },
    remember(token, verified) {
      put(nameOf(token), verified);
      const [oldest] = remembered.keys();
      if (remembered.size > most && oldest !== undefined) remembered.delete(oldest);
    },
  };
}
