import fc from "fast-check";
import {
  formatSigningSecret,
  newSigningSecret,
  parseSigningSecret,
} from "../../../src/webhooks/secrets/signing-secret.ts";
import { labelProblem } from "../../../src/webhooks/subscriptions/subscription.ts";
import { seededRandom } from "../../support/random.ts";

const encoded = (length: number) => Buffer.alloc(length, 0xfb).toString("base64");

describe("signing secrets (Standard Webhooks, R-E5, W7)", () => {
  it("are whsec_ and base64 of 32 bytes", () => {
    expect(formatSigningSecret(newSigningSecret(seededRandom()))).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it("decode to the bytes that were encoded, 24 to 64 of them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (bytes) => {
        expect(parseSigningSecret(formatSigningSecret(bytes))).toEqual(Buffer.from(bytes));
      }),
      { examples: [[new Uint8Array(24)], [new Uint8Array(64)]] },
    );
  });

  it.each([
    ["nothing", ""],
    ["no prefix", encoded(32)],
    ["a pasted signature version", `v1,whsec_${encoded(32)}`],
    ["another prefix", `whsk_${encoded(32)}`],
    ["the prefix alone", "whsec_"],
    ["too few bytes", `whsec_${encoded(23)}`],
    ["too many bytes", `whsec_${encoded(65)}`],
    ["base64url", `whsec_${encoded(33).replaceAll("+", "-").replaceAll("/", "_")}`],
    ["no padding", `whsec_${encoded(32).replaceAll("=", "")}`],
    ["a space at the end", `whsec_${encoded(32)} `],
    ["a line break within", `whsec_${encoded(32).slice(0, 20)}\n${encoded(32).slice(20)}`],
    ["left-over bits in the last character", `whsec_${encoded(32).slice(0, -2)}9=`],
    ["a character of no alphabet", `whsec_${encoded(32).slice(0, -2)}!=`],
  ])("refuse %s, in a sentence without the secret", (_, text) => {
    expect(() => parseSigningSecret(text)).toThrow(/^A signing secret [a-z0-9_ ]+\.$/);
  });
});

describe("labels (R-E9)", () => {
  it.each(["a", "marigold", "marigold-eu-1", "0", "a".repeat(63)])("take %s", (label) => {
    expect(labelProblem(label)).toBeUndefined();
  });

  it.each(["", "-a", "a-", "a--b", "Marigold", "a_b", "a.b", "a/b", "a b", "ä", "a".repeat(64), "a\n"])(
    "refuse %j",
    (label) => {
      expect(labelProblem(label)).toMatch(/1 to 63 characters/);
    },
  );
});
