/** Octets of r, and of s (RFC 7518 §3.4). */
const HALF = 32;

/**
 * An ES256 signature as JWS wants it, r and s side by side with 32 octets each (RFC 7518 §3.4), from the DER that
 * node:crypto makes: a sequence of two integers, each without leading zeros, but with one before a first bit that is set
 * (RFC 3279 §2.2.3). node:crypto can do it itself (`dsaEncoding`), but looks the key's curve up again each time: a third of
 * what a signature costs.
 */
export function rawSignature(der: Uint8Array): Buffer {
  const raw = Buffer.alloc(2 * HALF);
  // Sequence and integers are shorter than 128 octets, so each has one octet of kind and one of length.
  let integer = 2;
  for (const end of [HALF, 2 * HALF]) {
    const from = integer + 2;
    const until = from + (der[integer + 1] ?? 0);
    const value = der.subarray(Math.max(from, until - HALF), until);
    raw.set(value, end - value.length);
    integer = until;
  }
  return raw;
}
