import fc from "fast-check";
import { sessionFormToken } from "../../../src/sign-on/sessions/sessions.ts";

describe("the form token of a signed-in person (S10)", () => {
  it("is 43 characters of base64url, and says nothing of the secret", () => {
    const token = sessionFormToken("secret", "sign out", "");
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(token).not.toContain("secret");
  });

  it("fits one secret and one purpose: no other pair gives the same, however its parts are cut", () => {
    const parts = fc.array(fc.string(), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.string(), parts, fc.string(), parts, (secret, purpose, otherSecret, otherPurpose) => {
        fc.pre(JSON.stringify([secret, purpose]) !== JSON.stringify([otherSecret, otherPurpose]));
        expect(sessionFormToken(secret, ...purpose)).not.toBe(sessionFormToken(otherSecret, ...otherPurpose));
      }),
    );
  });
});
