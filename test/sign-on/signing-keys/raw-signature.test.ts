import { generateKeyPairSync, sign, verify } from "node:crypto";
import fc from "fast-check";
import { rawSignature } from "../../../src/sign-on/signing-keys/raw-signature.ts";

/** The shortest integer of DER: no leading zeros, but one before a first bit that is set (X.690 §8.3). */
function integer(octets: Uint8Array): Buffer {
  const first = octets.findIndex((octet) => octet !== 0);
  const shortest = Buffer.from(octets.subarray(first));
  const content = (shortest[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), shortest]) : shortest;
  return Buffer.concat([Buffer.of(0x02, content.length), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
}

/** 32 octets that are a number from 1 on, of any length. */
const number = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 32 }), fc.integer({ min: 1, max: 255 }))
  .map(([octets, first]) => Buffer.concat([Buffer.alloc(32 - octets.length), Buffer.of(first), octets.subarray(1)]));

describe("ES256 signatures as JWS wants them (RFC 7518 §3.4)", () => {
  it("puts any two numbers of up to 32 octets side by side", () => {
    fc.assert(
      fc.property(number, number, (r, s) => {
        expect(rawSignature(sequence(integer(r), integer(s)))).toEqual(Buffer.concat([r, s]));
      }),
    );
  });

  // One in 128 has an r or an s that is shorter than 32 octets.
  it("is what node:crypto verifies as such, for 1,000 signatures of several keys", () => {
    for (let made = 0; made < 1_000; made++) {
      const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const content = Buffer.from(`content ${made}`);
      const raw = rawSignature(sign("sha256", content, privateKey));
      expect(verify("sha256", content, { key: publicKey, dsaEncoding: "ieee-p1363" }, raw)).toBe(true);
    }
  });
});
