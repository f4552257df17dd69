import { type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { CryptoKey, JWK } from "jose";
import { rawSignature } from "./raw-signature.ts";
import type { SigningAlgorithm, StoredSigningKey } from "./signing-key-repository.ts";

/** A private key ready to sign with. */
export interface JwtSigner {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly privateKey: KeyObject;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** In libuv's pool: while it computes, this thread goes on with other requests. */
const signInPool = promisify<string, Uint8Array, Parameters<typeof sign>[2], Buffer>(sign);

/**
 * An ES256 signature takes some 20 µs, and a hand-over to the pool and back no less, so it is made at once; RS256, of more
 * than ten times as much, is not (decision 0053).
 */
const signContent = (content: Buffer, { algorithm, privateKey }: JwtSigner): Buffer | Promise<Buffer> =>
  algorithm === "ES256" ? rawSignature(sign("sha256", content, privateKey)) : signInPool("sha256", content, privateKey);

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
  /**
   * The same for an `id_token_hint`, which applications keep for longer than a key is published: a retired one too;
   * `undefined` for unknown and revoked ones (R-X108).
   */
  hintVerifier(keyId: string, algorithm: SigningAlgorithm): Promise<CryptoKey | undefined>;
  /** All published keys, public members only, oldest first. */
  published(): Promise<readonly JWK[]>;
  /** All published keys as they are stored. */
  usable(): Promise<readonly StoredSigningKey[]>;
}
