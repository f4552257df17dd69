import { isOwnForm } from "../../../src/sign-on/browser/page-operation.ts";

const ISSUER = "https://sign-on.example";
type Headers = Record<string, string | string[]>;

describe("where a form came from (S10, R-X5)", () => {
  it.each<[Headers, boolean]>([
    [{ "sec-fetch-site": "same-origin", origin: ISSUER }, true],
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ origin: ISSUER }, true],
    // No browser of the last years; the form token alone decides.
    [{}, true],
    [{ "sec-fetch-site": "cross-site", origin: "https://evil.example" }, false],
    [{ "sec-fetch-site": "cross-site", origin: ISSUER }, false],
    [{ "sec-fetch-site": "same-site", origin: "https://shop.example" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ "sec-fetch-site": "" }, false],
    [{ "sec-fetch-site": "Same-Origin" }, false],
    [{ "sec-fetch-site": ["same-origin", "cross-site"] }, false],
    [{ "sec-fetch-site": "same-origin, cross-site" }, false],
    [{ origin: "https://evil.example" }, false],
    [{ origin: "null" }, false],
    [{ origin: "" }, false],
    [{ origin: "http://sign-on.example" }, false],
    [{ origin: "https://sign-on.example:443" }, false],
    [{ origin: "https://sign-on.example/" }, false],
    [{ origin: "https://sign-on.example.evil.example" }, false],
    [{ origin: "https://SIGN-ON.example" }, false],
    [{ origin: `${ISSUER}, ${ISSUER}` }, false],
    [{ origin: [ISSUER, ISSUER] }, false],
    // Headers that anybody may set say nothing.
    [{ origin: "https://evil.example", host: "sign-on.example", referer: ISSUER }, false],
    [{ origin: "https://evil.example", "x-forwarded-host": "evil.example" }, false],
  ])("%j: %j", (headers, own) => {
    expect(isOwnForm({ headers }, ISSUER)).toBe(own);
  });
});
