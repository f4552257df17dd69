import fc from "fast-check";
import { postLogoutLocation } from "../../../../src/sign-on/conversations/logout/logout-request.ts";

describe("where the browser goes after signing out (RP-Initiated Logout 1.0 §3)", () => {
  it.each([
    ["https://a.example/out", undefined, "https://a.example/out"],
    ["https://a.example/out", "x", "https://a.example/out?state=x"],
    ["https://a.example/out", "", "https://a.example/out?state="],
    ["https://a.example/out?", "x", "https://a.example/out?state=x"],
    ["https://a.example/out?a=b", "x", "https://a.example/out?a=b&state=x"],
    ["https://a.example/out?a=b&", "x", "https://a.example/out?a=b&state=x"],
    ["com.example.app:/out", "a b&c=d#e", "com.example.app:/out?state=a%20b%26c%3Dd%23e"],
  ])("%s with state %j", (uri, state, expected) => {
    expect(postLogoutLocation(uri, state)).toBe(expected);
  });

  it("gives every state back byte for byte, and nothing else (S7)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (state) => {
        const url = new URL(postLogoutLocation("https://a.example/out?a=b", state));
        expect([...url.searchParams]).toEqual([
          ["a", "b"],
          ["state", state],
        ]);
      }),
    );
  });
});
