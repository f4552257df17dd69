import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { bytesBehind } from "./key-text.ts";

const SEED_BYTES = 32;
const PRIVATE_KEY_BYTES = 64;
/** What precedes the seed of an Ed25519 key in PKCS #8 (RFC 8410 §7). */
const PKCS8_BEFORE_SEED = Buffer.from("302e020100300506032b657004220420", "hex");

/** An Ed25519 key pair, with its texts (Standard Webhooks §signature scheme). */
export interface KeyPair {
  readonly privateKey: KeyObject;
  /** `whsk_` and standard base64 of 64 bytes: the seed, then the public key. */
  readonly privateText: string;
  /** `whpk_` and standard base64 of the 32 bytes of the public key. */
  readonly publicText: string;
}

/** The key pair of a seed of 32 bytes. */
export function keyPairOf(seed: Uint8Array): KeyPair {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_BEFORE_SEED, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const publicBytes = Buffer.from(x, "base64url");
  return {
    privateKey,
    privateText: `whsk_${Buffer.concat([seed, publicBytes]).toString("base64")}`,
    publicText: `whpk_${publicBytes.toString("base64")}`,
  };
}

/**
 * The key pair behind `whsk_…`.
 * @throws TypeError that names the mistake and holds nothing of the key.
 */
export function parsePrivateKey(text: string): KeyPair {
  const bytes = bytesBehind("whsk_", text);
  if (bytes.length !== PRIVATE_KEY_BYTES)
    throw new TypeError(
      `A private key has ${PRIVATE_KEY_BYTES} bytes, its seed and its public key; this one has ${bytes.length}.`,
    );
  const keyPair = keyPairOf(bytes.subarray(0, SEED_BYTES));
  if (keyPair.privateText !== text) throw new TypeError("The second half of this private key is not its public key.");
  return keyPair;
}
