import type { CryptoKey, JWK } from "jose";
import type { JwtSigner } from "./sign-jwt.ts";
import type { SigningAlgorithm } from "./signing-key-repository.ts";

/** The signing keys of this server, opened once and read again now and then. */
export interface SigningKeys {
  /** The active key of the algorithm. @throws UNAVAILABLE when there is none: never sign with anything else (F48). */
  signer(algorithm: SigningAlgorithm): Promise<JwtSigner>;
  /** The public key with exactly this id and algorithm; `undefined` for unknown and retired ones (S32). */
  verifier(keyId: string, algorithm: SigningAlgorithm): Promise<CryptoKey | undefined>;
  /** All published keys, public members only, oldest first. */
  published(): Promise<readonly JWK[]>;
}
