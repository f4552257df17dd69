import { hash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { type ApiKeyId, randomCharacters } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";

/** What scanners for leaked secrets look for. */
const PREFIX = "ghk_";
const LOOK_UP_LENGTH = 12;
const SECRET_LENGTH = 42;
const CHECKSUM_LENGTH = 6;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const FORM = /^ghk_[A-Za-z0-9]{60}$/;

/** Names of the metadata in which the proof of a key travels with a call (R-G15). */
const LOOK_UP_METADATA = "x-api-key-lookup";
const DIGEST_METADATA = "x-api-key-digest";

/** Name of the reply metadata in which the id of a proven key travels back. */
const CALLER_METADATA = "caller";

/** What is known of a key without the key: how it is found, and how it is compared. */
export interface ApiKeyProof {
  /** 12 characters; public. */
  readonly lookUp: string;
  /** SHA-256 of the whole key. */
  readonly digest: Buffer;
}

/** A new key of 64 characters: prefix, public look-up part, secret of about 250 bits, checksum (R-G11). Shown once and never kept. */
export function newApiKey(random: Random): string {
  const body = PREFIX + randomCharacters(random, LOOK_UP_LENGTH + SECRET_LENGTH);
  return body + checksum(body);
}

/** The proof of a well-formed key; `undefined` when the text cannot be one, a mistyped key included. Says nothing about existence. */
export function proofOf(key: string): ApiKeyProof | undefined {
  if (!FORM.test(key)) return undefined;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== key.slice(-CHECKSUM_LENGTH)) return undefined;
  const lookUp = key.slice(PREFIX.length, PREFIX.length + LOOK_UP_LENGTH);
  return { lookUp, digest: hash("sha256", key, "buffer") };
}

/** The proof as a call's metadata. */
export const toProofMetadata = ({ lookUp, digest }: ApiKeyProof): Readonly<Record<string, string>> => ({
  [LOOK_UP_METADATA]: lookUp,
  [DIGEST_METADATA]: digest.toString("hex"),
});

/** The proof in a call's metadata; `undefined` when there is none of the right form. */
export function parseProofMetadata(metadata: Readonly<Record<string, string>>): ApiKeyProof | undefined {
  const lookUp = metadata[LOOK_UP_METADATA] ?? "";
  const digest = metadata[DIGEST_METADATA] ?? "";
  if (!/^[A-Za-z0-9]{12}$/.test(lookUp) || !/^[0-9a-f]{64}$/.test(digest)) return undefined;
  return { lookUp, digest: Buffer.from(digest, "hex") };
}

/** Whose key it is, as a call's reply metadata: for the edge's log (R-X432). */
export const toCallerMetadata = (id: ApiKeyId): Readonly<Record<string, string>> => ({ [CALLER_METADATA]: id });

/** The id of the key in a call's reply metadata; `undefined` from services of an earlier version. */
export const callerIn = (metadata: Readonly<Record<string, string>>): string | undefined => metadata[CALLER_METADATA];

/** Compares two SHA-256 digests in constant time. */
export const digestsMatch = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

/** CRC-32 as six characters of base 62, most significant first. Finds typing mistakes, proves nothing. */
function checksum(text: string): string {
  let rest = crc32(text);
  let characters = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    characters = (ALPHABET[rest % ALPHABET.length] ?? "") + characters;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return characters;
}
