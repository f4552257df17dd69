import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
const BYTES_MIN = 24;
const BYTES_MAX = 64;

/** What is signed: `id.timestamp.body` (Standard Webhooks v1). */
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
  if (!text.startsWith(PREFIX)) throw new TypeError(`A signing secret begins with ${PREFIX}.`);
  const encoded = text.slice(PREFIX.length);
  const key = Buffer.from(encoded, "base64");
  if (key.toString("base64") !== encoded) throw new TypeError("A signing secret is standard base64 with padding.");
  if (key.length < BYTES_MIN || key.length > BYTES_MAX)
    throw new TypeError(`A signing secret has ${BYTES_MIN} to ${BYTES_MAX} bytes; this one has ${key.length}.`);
  return key;
}

/** One entry of the header `webhook-signature`: `v1,` and the base64 of HMAC-SHA256. */
export const sign = (key: Uint8Array, { id, timestamp, body }: SignedContent): string =>
  `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
