import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import {
  digestsMatch,
  newApiKey,
  parseProofMetadata,
  proofOf,
  toProofMetadata,
} from "../../../src/workforce/integrations/api-key.ts";
import { seededRandom } from "../../support/random.ts";

describe("the form of an API key (R-G11)", () => {
  const key = newApiKey(seededRandom());

  it("has 64 characters: prefix, look-up part, secret, checksum", () => {
    expect(key).toMatch(/^ghk_[A-Za-z0-9]{60}$/);
  });

  it("is never the same twice", () => {
    const random = seededRandom();
    const keys = new Set(Array.from({ length: 500 }, () => newApiKey(random)));
    expect(keys.size).toBe(500);
  });

  it("is found by its look-up part and compared by SHA-256 of the whole", () => {
    expect(proofOf(key)).toEqual({
      lookUp: key.slice(4, 16),
      digest: createHash("sha256").update(key).digest(),
    });
  });

  it("has a checksum that does not change from release to release", () => {
    expect(proofOf("ghk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD8PzT4")).toBeDefined();
  });

  const mistyped = [...key].map((character, index) => {
    const other = character === "x" ? "y" : "x";
    return key.slice(0, index) + other + key.slice(index + 1);
  });

  it("is refused with any one character mistyped, before any call", () => {
    expect(mistyped.filter((one) => proofOf(one) !== undefined)).toEqual([]);
  });

  it("is refused with any two neighbours exchanged", () => {
    const exchanged = [...key]
      .slice(1)
      .map((_, index) => key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2))
      .filter((one) => one !== key);
    expect(exchanged.filter((one) => proofOf(one) !== undefined)).toEqual([]);
  });

  it.each([
    ["nothing", ""],
    ["63 characters", key.slice(0, -1)],
    ["65 characters", `${key}A`],
    ["a space before", ` ${key}`],
    ["a line feed behind", `${key}\n`],
    ["another prefix", `ghx_${key.slice(4)}`],
    ["a letter beyond ASCII", `${key.slice(0, -1)}é`],
    ["NUL", `${key.slice(0, -1)}\0`],
  ])("is refused: %s", (_, text) => {
    expect(proofOf(text)).toBeUndefined();
  });

  /** With the checksum that would be right: six characters of base 62, most significant first. */
  const withChecksum = (body: string) => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const places = [5, 4, 3, 2, 1, 0].map((place) => Math.floor(crc32(body) / 62 ** place) % 62);
    return body + places.map((place) => letters[place]).join("");
  };
  const body = key.slice(0, -6);

  it.each([
    ["a space before", ` ${body}`],
    ["another prefix", `ghx_${body.slice(4)}`],
    ["one character more", `${body}A`],
    ["one character less", body.slice(0, -1)],
  ])("is refused though its checksum is right: %s", (_, text) => {
    expect(withChecksum(body)).toBe(key);
    expect(proofOf(withChecksum(text))).toBeUndefined();
  });
});

describe("the proof in a call's metadata (R-G15)", () => {
  const proof = proofOf(newApiKey(seededRandom()));

  it("arrives as it was sent", () => {
    expect(proof && parseProofMetadata(toProofMetadata(proof))).toEqual(proof);
  });

  it("does not contain the key", () => {
    const key = newApiKey(seededRandom());
    expect(JSON.stringify(proof && toProofMetadata(proof))).not.toContain(key.slice(16, 58));
  });

  it.each([
    ["no metadata", {}],
    ["no digest", { "x-api-key-lookup": "abcdefghijkl" }],
    ["a short digest", { "x-api-key-lookup": "abcdefghijkl", "x-api-key-digest": "00" }],
    ["capitals in the digest", { "x-api-key-lookup": "abcdefghijkl", "x-api-key-digest": "A".repeat(64) }],
    ["a long digest", { "x-api-key-lookup": "abcdefghijkl", "x-api-key-digest": "0".repeat(65) }],
    ["a letter before the digest", { "x-api-key-lookup": "abcdefghijkl", "x-api-key-digest": `x${"0".repeat(64)}` }],
    ["a long look-up part", { "x-api-key-lookup": "abcdefghijklm", "x-api-key-digest": "0".repeat(64) }],
  ])("is absent: %s", (_, metadata) => {
    expect(parseProofMetadata(metadata)).toBeUndefined();
  });

  it("compares digests of any length without failing", () => {
    const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    expect([digestsMatch(one, one), digestsMatch(one, other), digestsMatch(one, Buffer.alloc(31, 1))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
