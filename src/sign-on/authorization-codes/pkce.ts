import { hash, timingSafeEqual } from "node:crypto";

/** 43 to 128 characters of RFC 7636 §4.1's alphabet (R-S16). */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** True when the text has the form of an S256 challenge: 32 bytes as base64url. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** True when the text may be a verifier at all; others are refused before hashing (S22). */
export const isVerifier = (text: string): boolean => VERIFIER.test(text);

/** True when the verifier hashes to the stored S256 challenge (RFC 7636 §4.6). Constant time. */
export function verifierMatches(codeVerifier: string, codeChallenge: string): boolean {
  const actual = hash("sha256", codeVerifier, "buffer");
  const expected = Buffer.from(codeChallenge, "base64url");
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}
