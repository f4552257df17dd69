import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Random } from "#runtime/basis/random.ts";

const SEED_BYTES = 32;
/** What precedes the seed of an Ed25519 key in PKCS #8 (RFC 8410 §7). */
const PKCS8_BEFORE_SEED = Buffer.from("302e020100300506032b657004220420", "hex");

/** The seed of a new Ed25519 key pair, for one subscription alone (R-X274). */
export const newSeed = (random: Random): Buffer => random.bytes(SEED_BYTES);

/** The private key of a seed. */
export const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_BEFORE_SEED, seed]), format: "der", type: "pkcs8" });

/** `whpk_` and base64 of the 32 bytes of the public key, as consumers' libraries take it (Standard Webhooks). */
export function publicKeyText(seed: Buffer): string {
  const { x = "" } = createPublicKey(privateKeyOf(seed)).export({ format: "jwk" });
  return `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
}
