import { hash, timingSafeEqual } from "node:crypto";

/** SHA-256 of a secret of high entropy; codes, tokens, secrets and cookies are stored only as this (S27). */
export const digestOf = (secret: string): Buffer => hash("sha256", secret, "buffer");

/** Compares two digests in constant time; different lengths are unequal, not an error (S28). */
export const sameDigest = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
