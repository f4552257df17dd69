import type { CryptoKey, JWK } from "jose";
import type { JwtSigner } from "./sign-jwt.ts";
import type { SigningAlgorithm, StoredSigningKey } from "./signing-key-repository.ts";

/** Signalled whenever a key was made or moved on. */
export const SIGNING_KEYS_CHANNEL = "signing-keys";

/** The signing keys of this server, opened once; read again when one has changed, and every few seconds. */
export interface SigningKeys {
  /** The active key of the algorithm. @throws UNAVAILABLE when there is none: never sign with anything else (F48). */
  signer(algorithm: SigningAlgorithm): Promise<JwtSigner>;
  /** The public key with exactly this id and algorithm; `undefined` for unknown and retired ones (S32). */
  verifier(keyId: string, algorithm: SigningAlgorithm): Promise<CryptoKey | undefined>;
  /** All published keys, public members only, oldest first. */
  published(): Promise<readonly JWK[]>;
  /** The same keys as they are stored. */
  usable(): Promise<readonly StoredSigningKey[]>;
}
