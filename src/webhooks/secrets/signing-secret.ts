import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { SealedRow } from "#runtime/sealing/purposes.ts";

const PREFIX = "whsec_";
const NEW_BYTES = 32;
const BYTES_MIN = 24;
const BYTES_MAX = 64;

/** Symmetric: shared with the receiver, signs as v1. Asymmetric: an Ed25519 key pair, signs as v1a. */
export type SecretKind = "symmetric" | "asymmetric";

/** A secret as the store holds it. */
export interface SealedSecret {
  readonly number: number;
  readonly kind: SecretKind;
  readonly sealed: Buffer;
}

/** 32 fresh bytes: the HMAC key of one subscription. */
export const newSigningSecret = (random: Random): Buffer => random.bytes(NEW_BYTES);

/** `whsec_` and base64, as consumers' libraries take it (Standard Webhooks §signature scheme). */
export const formatSigningSecret = (secret: Uint8Array): string => `${PREFIX}${Buffer.from(secret).toString("base64")}`;

/**
 * The key behind `whsec_…`. Strict, since a forgiving decoder turns a slip of the pen into another key: prefix,
 * standard alphabet, padding, 24 to 64 bytes.
 * @throws TypeError that names the mistake and holds nothing of the secret.
 */
export function parseSigningSecret(text: string): Buffer {
  if (!text.startsWith(PREFIX)) throw new TypeError(`A signing secret begins with ${PREFIX}.`);
  const encoded = text.slice(PREFIX.length);
  const secret = Buffer.from(encoded, "base64");
  if (secret.toString("base64") !== encoded) throw new TypeError("A signing secret is standard base64 with padding.");
  if (secret.length < BYTES_MIN || secret.length > BYTES_MAX) {
    throw new TypeError(`A signing secret has ${BYTES_MIN} to ${BYTES_MAX} bytes.`);
  }
  return secret;
}

/** Names the row that a sealed secret is bound to. */
export const signingSecretRow = (subscriptionId: SubscriptionId | string, number: number): SealedRow =>
  `webhooks_signing_secrets/${subscriptionId}/${number}`;
