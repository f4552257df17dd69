import { type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { CryptoKey, JWK } from "jose";
import type { SigningAlgorithm, StoredSigningKey } from "./signing-key-repository.ts";

/** A private key ready to sign with. */
export type JwtSigner = { readonly keyId: string } & (
  | { readonly algorithm: "ES256"; readonly privateKey: RawSigningKey }
  | { readonly algorithm: "RS256"; readonly privateKey: KeyObject }
);

/** A key whose signatures are r and s side by side, as JWS wants them (RFC 7518 §3.4), not DER. */
type RawSigningKey = KeyObject & { readonly dsaEncoding: "ieee-p1363" };

/**
 * Marks a key, since node:crypto reads this option of the key that it is given. Given as `{ key, dsaEncoding }`, Node 24
 * finds out with two exceptions, thrown and caught, that this is no key itself: a third of what a signature costs.
 */
export const withRawSignatures = (key: KeyObject): RawSigningKey =>
  Object.assign(key, { dsaEncoding: "ieee-p1363" as const });

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** In libuv's pool: while it computes, this thread goes on with other requests. */
const signInPool = promisify<string, Uint8Array, Parameters<typeof sign>[2], Buffer>(sign);

let hasSignedThisTurn = false;

/**
 * An ES256 signature takes some 50 µs of this thread, and what a lone one waits for the pool is more than twice of that,
 * so the first one of a turn of the event loop is made at once. Where more come in one turn the pool is the quicker one,
 * and for RS256 it always is.
 */
function signContent(content: Buffer, { algorithm, privateKey }: JwtSigner): Buffer | Promise<Buffer> {
  if (algorithm === "RS256" || hasSignedThisTurn) return signInPool("sha256", content, privateKey);
  hasSignedThisTurn = true;
  setImmediate(() => {
    hasSignedThisTurn = false;
  });
  return sign("sha256", content, privateKey);
}

/**
 * A compact JWS over the claims (RFC 7515 §7.1). On a cached key object node:crypto signs ES256 three times as fast as WebCrypto, which
 * jose uses; everything that parses or verifies is jose's.
 */
export async function signJwt(
  claims: Readonly<Record<string, unknown>>,
  signer: JwtSigner,
  type: "JWT" | "at+jwt",
): Promise<string> {
  const content = `${encode({ alg: signer.algorithm, typ: type, kid: signer.keyId })}.${encode(claims)}`;
  const signature = await signContent(Buffer.from(content), signer);
  return `${content}.${signature.toString("base64url")}`;
}

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
