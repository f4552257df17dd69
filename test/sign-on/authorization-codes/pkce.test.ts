import { createHash } from "node:crypto";
import fc from "fast-check";
import { isChallenge, isVerifier, verifierMatches } from "../../../src/sign-on/authorization-codes/pkce.ts";

/** RFC 7636 appendix B. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
const verifiers = fc
  .array(fc.constantFrom(...ALPHABET), { minLength: 43, maxLength: 128 })
  .map((letters) => letters.join(""));
const s256 = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

describe("PKCE (RFC 7636, R-S16)", () => {
  it("matches the vector of appendix B", () => {
    expect(isVerifier(VERIFIER)).toBe(true);
    expect(isChallenge(CHALLENGE)).toBe(true);
    expect(verifierMatches(VERIFIER, CHALLENGE)).toBe(true);
  });

  it("takes no verifier for a challenge, and no challenge for its own verifier (plain)", () => {
    expect(verifierMatches(CHALLENGE, CHALLENGE)).toBe(false);
    expect(verifierMatches(VERIFIER, VERIFIER)).toBe(false);
  });

  it("matches every verifier of the whole alphabet with its own challenge (§4.1, §4.2)", () => {
    const property = fc.property(verifiers, (verifier) => {
      const challenge = s256(verifier);
      return isVerifier(verifier) && isChallenge(challenge) && verifierMatches(verifier, challenge);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  it("does not match a verifier with one character changed", () => {
    const property = fc.property(verifiers, fc.nat(), fc.constantFrom(...ALPHABET), (verifier, at, letter) => {
      const place = at % verifier.length;
      const changed = verifier.slice(0, place) + letter + verifier.slice(place + 1);
      fc.pre(changed !== verifier);
      return !verifierMatches(changed, s256(verifier));
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  it.each([
    ["nothing", ""],
    ["42 characters", "a".repeat(42)],
    ["129 characters", "a".repeat(129)],
    ["a space", `${"a".repeat(42)} `],
    ["a plus sign", `${"a".repeat(42)}+`],
    ["a slash", `${"a".repeat(42)}/`],
    ["padding", `${"a".repeat(43)}=`],
    ["a letter beyond ASCII", `${"a".repeat(42)}é`],
    ["a line feed at the end", `${"a".repeat(43)}\n`],
    ["a NUL", `${"a".repeat(42)}\0`],
  ])("takes no verifier with %s (§4.1, S22)", (_, verifier) => {
    expect(isVerifier(verifier)).toBe(false);
  });

  it.each([43, 128])("takes a verifier of %d characters", (length) => {
    expect(isVerifier("~".repeat(length))).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["42 characters", CHALLENGE.slice(1)],
    ["44 characters", `${CHALLENGE}A`],
    ["padding", `${CHALLENGE}=`],
    ["base64 instead of base64url", CHALLENGE.replace("-", "+")],
    ["the verifier's alphabet", `${"a".repeat(42)}~`],
    ["a line feed at the end", `${CHALLENGE}\n`],
  ])("takes no challenge with %s", (_, challenge) => {
    expect(isChallenge(challenge)).toBe(false);
  });

  it.each(["", "AA", `${CHALLENGE}AAAA`])("does not throw over the stored challenge %j (S28)", (challenge) => {
    expect(verifierMatches(VERIFIER, challenge)).toBe(false);
  });
});
