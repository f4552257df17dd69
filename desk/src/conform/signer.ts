import { createHash, randomBytes } from "node:crypto";
import { type KeyPair, keyPairOf } from "../key-pair.ts";
import { type SignedContent, sign, signWithKeyPair } from "../signature.ts";

/** A signature scheme of Standard Webhooks: HMAC-SHA256 by a secret, or Ed25519 by a key pair. */
export type Scheme = "v1" | "v1a";

/** Makes entries of the header `webhook-signature`. */
export interface Signer {
  readonly scheme: Scheme;
  /** What it signs with, in words. */
  readonly keyName: string;
  /** `whpk_…`, by which the receiver verifies; a secret has none. */
  readonly publicKey: string | undefined;
  sign(content: SignedContent): string;
  /** By a secret or key pair that the receiver does not have. */
  signForeign(content: SignedContent): string;
}

/** Signs as the owner of a signing secret. */
export function secretSigner(secret: Uint8Array): Signer {
  const foreign = digestOf(secret);
  return {
    scheme: "v1",
    keyName: "secret",
    publicKey: undefined,
    sign: (content) => sign(secret, content),
    signForeign: (content) => sign(foreign, content),
  };
}

/** Signs as the owner of a key pair. */
export function keyPairSigner({ privateKey, privateText, publicText }: KeyPair): Signer {
  const foreign = keyPairOf(digestOf(privateText));
  return {
    scheme: "v1a",
    keyName: "key pair",
    publicKey: publicText,
    sign: (content) => signWithKeyPair(privateKey, content),
    signForeign: (content) => signWithKeyPair(foreign.privateKey, content),
  };
}

/** What the gateway does not have: it signs what must be refused. */
export const foreignSigner = (scheme: Scheme): Signer =>
  scheme === "v1" ? secretSigner(randomBytes(32)) : keyPairSigner(keyPairOf(randomBytes(32)));

const digestOf = (key: Uint8Array | string): Buffer => createHash("sha256").update(key).digest();

const SIGNATURE_BYTES: Readonly<Record<Scheme, number>> = { v1: 32, v1a: 64 };

/** An entry of the right length that no key has made. */
export const randomSignature = (scheme: Scheme): string =>
  `${scheme},${randomBytes(SIGNATURE_BYTES[scheme]).toString("base64")}`;
