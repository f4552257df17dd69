import { createHmac, type KeyObject, sign as signEd25519 } from "node:crypto";
import { bytesBehind } from "./key-text.ts";

const BYTES_MIN = 24;
const BYTES_MAX = 64;

/** What is signed: `id.timestamp.body` (Standard Webhooks §signature scheme). */
export interface SignedContent {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The key behind `whsec_…`: standard base64 of 24 to 64 bytes.
 * @throws TypeError that names the mistake and holds nothing of the secret.
 */
export function parseSecret(text: string): Buffer {
  const key = bytesBehind("whsec_", text);
  if (key.length < BYTES_MIN || key.length > BYTES_MAX)
    throw new TypeError(`A signing secret has ${BYTES_MIN} to ${BYTES_MAX} bytes; this one has ${key.length}.`);
  return key;
}

/** One entry of the header `webhook-signature`: `v1,` and the base64 of HMAC-SHA256. */
export const sign = (key: Uint8Array, content: SignedContent): string =>
  `v1,${createHmac("sha256", key).update(textOf(content)).digest("base64")}`;

/** One entry of the header `webhook-signature`: `v1a,` and the base64 of Ed25519 over the same bytes. */
export const signWithKeyPair = (privateKey: KeyObject, content: SignedContent): string =>
  `v1a,${signEd25519(null, Buffer.from(textOf(content)), privateKey).toString("base64")}`;

const textOf = ({ id, timestamp, body }: SignedContent): string => `${id}.${timestamp}.${body}`;
