import { createSecretKey } from "node:crypto";
import { signature, signatures } from "../../src/webhooks/queue/signature.ts";
import { privateKeyOf, publicKeyText } from "../../src/webhooks/secrets/key-pair.ts";
import { formatSigningSecret } from "../../src/webhooks/secrets/signing-secret.ts";

/** An example of a message, as the AsyncAPI document has it. */
export interface MessageExample {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: { readonly id: string; readonly type: string };
}

/** One POST and the result that a verifier must have. */
interface Vector {
  readonly name: string;
  readonly eventType: string;
  readonly says: string;
  /** Time of the verification, in Unix seconds. */
  readonly verifiedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body; its UTF-8 bytes are what is signed. */
  readonly body: string;
  readonly verdict: "accept" | "refuse";
}

/** Of a subscriber who has a secret. */
export interface SignedVector extends Vector {
  readonly secret: string;
}

/** Of a subscriber who has a public key alone. */
export interface KeyPairVector extends Vector {
  readonly publicKey: string;
}

/** Used by no subscription: published, so that every reader can compute the same signatures. 32 bytes each. */
const SECRET = Buffer.from("gatehouse published test vector!");
const RETIRING = Buffer.from("gatehouse retiring test vectors!");
/** Seeds of key pairs, for the same reason. */
const SEED = Buffer.from("gatehouse published test keypair");
const RETIRING_SEED = Buffer.from("gatehouse retiring test keypairs");

/** How old or how far ahead a timestamp may be, in seconds (Standard Webhooks §verifying). */
export const TOLERANCE_SECONDS = 300;

/** The signed content of an example, and its raw body: the payload as JSON without white space. */
function signedContent({ headers, payload }: MessageExample) {
  const body = JSON.stringify(payload);
  const timestamp = Number(headers["webhook-timestamp"]);
  return { body, content: { id: payload.id, timestamp, body: Buffer.from(body) } };
}

/** The signature that belongs to an example, with the published secret. */
export const genuineSignature = (example: MessageExample): string =>
  signature(createSecretKey(SECRET), signedContent(example).content);

/**
 * Vectors of one event, made by the code that signs deliveries: one valid, one during a rotation, and three that must
 * be refused.
 */
export function signedVectors(example: MessageExample): readonly SignedVector[] {
  const { headers: shown, payload } = example;
  const { body, content } = signedContent(example);
  const [current, retiring] = [createSecretKey(SECRET), createSecretKey(RETIRING)];
  const headers = { ...shown, "webhook-id": payload.id, "webhook-signature": signature(current, content) };
  const genuine = {
    name: `${payload.type} genuine`,
    eventType: payload.type,
    says: "As it is sent.",
    secret: formatSigningSecret(SECRET),
    verifiedAt: content.timestamp,
    headers,
    body,
    verdict: "accept",
  } as const;
  return [
    genuine,
    {
      ...genuine,
      name: `${payload.type} rotating`,
      says: "Signed twice while the secret is being replaced; the subscriber still holds the old one.",
      secret: formatSigningSecret(RETIRING),
      headers: { ...headers, "webhook-signature": signatures([current, retiring], content) },
    },
    {
      ...genuine,
      name: `${payload.type} tampered`,
      says: "The body was changed after it was signed: here only white space.",
      body: `${body} `,
      verdict: "refuse",
    },
    {
      ...genuine,
      name: `${payload.type} foreign`,
      says: "Signed with a secret that the subscriber does not hold.",
      headers: { ...headers, "webhook-signature": signature(retiring, content) },
      verdict: "refuse",
    },
    {
      ...genuine,
      name: `${payload.type} replayed`,
      says: "Genuine, but sent again after the tolerance has passed.",
      verifiedAt: content.timestamp + TOLERANCE_SECONDS + 1,
      verdict: "refuse",
    },
  ];
}

/**
 * Vectors of one event whose subscriber has the public key of a key pair (R-X274): one as it is sent, one during a
 * rotation, and four that must be refused. Of these one is an HMAC with the public key, which everybody can make.
 */
export function keyPairVectors(example: MessageExample): readonly KeyPairVector[] {
  const { headers: shown, payload } = example;
  const { body, content } = signedContent(example);
  const [secret, current, retiring] = [createSecretKey(SECRET), privateKeyOf(SEED), privateKeyOf(RETIRING_SEED)];
  const publicKey = publicKeyText(SEED);
  const headersWith = (value: string) => ({ ...shown, "webhook-id": payload.id, "webhook-signature": value });
  const genuine = {
    name: `${payload.type} key pair genuine`,
    eventType: payload.type,
    says: "As it is sent: signed with the secret, and with the key pair.",
    publicKey,
    verifiedAt: content.timestamp,
    headers: headersWith(signatures([secret, current], content)),
    body,
    verdict: "accept",
  } as const;
  return [
    genuine,
    {
      ...genuine,
      name: `${payload.type} key pair rotating`,
      says: "Signed with two key pairs while one is being replaced; the subscriber still holds the old one's public key.",
      publicKey: publicKeyText(RETIRING_SEED),
      headers: headersWith(signatures([secret, current, retiring], content)),
    },
    {
      ...genuine,
      name: `${payload.type} key pair tampered`,
      says: "The body was changed after it was signed: here only white space.",
      body: `${body} `,
      verdict: "refuse",
    },
    {
      ...genuine,
      name: `${payload.type} key pair foreign`,
      says: "Signed with the secret, and with a key pair whose public key the subscriber does not hold.",
      headers: headersWith(signatures([secret, retiring], content)),
      verdict: "refuse",
    },
    {
      ...genuine,
      name: `${payload.type} key pair mistaken`,
      says: "An HMAC with the public key in place of a secret, which everybody can make.",
      headers: headersWith(signature(createSecretKey(publicKey.slice("whpk_".length), "base64"), content)),
      verdict: "refuse",
    },
    {
      ...genuine,
      name: `${payload.type} key pair replayed`,
      says: "Genuine, but sent again after the tolerance has passed.",
      verifiedAt: content.timestamp + TOLERANCE_SECONDS + 1,
      verdict: "refuse",
    },
  ];
}
