import fc from "fast-check";
import {
  codeParameters,
  errorParameters,
  responseLocation,
} from "../../../src/sign-on/interactions/authorization-response.ts";

const ISSUER = "https://sign-on.example";
const CALLBACK = "https://app.example/callback";
const target = (redirectUri: string, state: string | undefined) =>
  ({ redirectUri, responseMode: "query", state }) as const;
const code = (redirectUri: string, state?: string) =>
  responseLocation(redirectUri, codeParameters(target(redirectUri, state), ISSUER, "c-_1"));

/** States that want to be something else, or are hard to carry. */
const STATES: readonly string[] = [
  "st-4711",
  "",
  " ",
  "+",
  "%20",
  "%",
  "a&code=stolen",
  "a#fragment",
  "a=b;c",
  `"'<script>alert(1)</script>`,
  "a\r\nlocation: https://evil.example",
  "\u0000\u0001\u007f",
  "🙂 👩‍👩‍👧 é e\u0301",
  "\u2028\u2029\ufeff\u200b",
  "s".repeat(2_048),
];

describe("an authorization response (RFC 6749 §4.1.2, S7)", () => {
  it("carries code, state and issuer (RFC 9207)", () => {
    expect(code(CALLBACK, "st-4711")).toBe(
      "https://app.example/callback?code=c-_1&state=st-4711&iss=https%3A%2F%2Fsign-on.example",
    );
  });

  it.each([
    ["with the request id", "req_1", "The%20person%20refused.%20(req_1)"],
    ["without a request id, where there is none", "", "The%20person%20refused."],
  ])(
    "carries error, description %s, the page about the error, state and issuer (§4.1.2.1, R-X209)",
    (_, requestId, said) => {
      const refused = { error: "access_denied", sentence: "The person refused." } as const;
      const error = errorParameters(target(CALLBACK, "st-4711"), refused, { requestId, issuer: ISSUER });
      expect(responseLocation(CALLBACK, error)).toBe(
        `https://app.example/callback?error=access_denied&error_description=${said}&error_uri=https%3A%2F%2Fsign-on.example%2Fproblems%2Fsign-on-access-denied&state=st-4711&iss=https%3A%2F%2Fsign-on.example`,
      );
    },
  );

  it("carries no state when none was sent", () => {
    expect(code(CALLBACK)).toBe("https://app.example/callback?code=c-_1&iss=https%3A%2F%2Fsign-on.example");
  });

  it.each(STATES)("returns the state %j unchanged, in printable ASCII and nowhere else", (state) => {
    const location = code(CALLBACK, state);
    const parameters = [...new URL(location).searchParams];
    expect(parameters).toEqual([
      ["code", "c-_1"],
      ["state", state],
      ["iss", ISSUER],
    ]);
    expect(location).toMatch(/^[\x21-\x7e]*$/);
    expect(new URL(location).hash).toBe("");
  });

  it("returns any state unchanged", () => {
    const property = fc.property(fc.string({ unit: "binary" }), (state) => {
      return new URL(code(CALLBACK, state)).searchParams.get("state") === state;
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  it.each([
    ["https://app.example/callback?tenant=a%2Fb", "https://app.example/callback?tenant=a%2Fb&code="],
    ["https://app.example/callback?a=1&b", "https://app.example/callback?a=1&b&code="],
    ["https://app.example/callback?", "https://app.example/callback?code="],
    ["https://app.example/callback?a=1&", "https://app.example/callback?a=1&code="],
    ["https://app.example", "https://app.example?code="],
    ["com.example.app:/callback", "com.example.app:/callback?code="],
    ["http://127.0.0.1:51004/cb", "http://127.0.0.1:51004/cb?code="],
  ])("keeps the bytes of %s and its parameters", (redirectUri, beginning) => {
    expect(code(redirectUri, "s").startsWith(beginning)).toBe(true);
    expect(new URL(code(redirectUri, "s")).searchParams.get("code")).toBe("c-_1");
  });
});
