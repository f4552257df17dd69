import { endpointUrlProblem } from "../../../src/webhooks/endpoints/endpoint-url.ts";
import { parseNetwork } from "../../../src/webhooks/endpoints/public-address.ts";
import { FORBIDDEN_ENDPOINTS } from "./forbidden-endpoints.ts";

const STRICT = { allowHttp: false, allowedNetworks: [], allowedPorts: [] };
const SENTENCES =
  /^must (be https|be an absolute URL of visible ASCII characters|not be an address that is not public|have a public name|not hold a user name or password|not have a fragment|have port 443, or .*)$/;

describe("endpoints in evil spellings (S44, S45, R-X340, W8, W9, W10)", () => {
  it("are 120 at least, none of them twice", () => {
    const urls = new Set(FORBIDDEN_ENDPOINTS.map(([, url]) => url));
    expect(urls.size).toBe(FORBIDDEN_ENDPOINTS.length);
    expect(urls.size).toBeGreaterThanOrEqual(120);
  });

  it.each(FORBIDDEN_ENDPOINTS)("are refused with a sentence: %s, %j", (_, url) => {
    expect(endpointUrlProblem(url, STRICT)).toMatch(SENTENCES);
  });

  it.each(["https://hooks.internal/", "https://payroll/", "https://gatehouse.local/"])(
    "%s is accepted where the operator has named a network (R-X340)",
    (url) => {
      const allowedNetworks = ["10.0.0.0/8"].flatMap((text) => parseNetwork(text) ?? []);
      expect(endpointUrlProblem(url, { ...STRICT, allowedNetworks })).toBeUndefined();
    },
  );

  it.each([
    "https://local.example/",
    "https://internal.example/",
    "https://mylocalhost.example/",
    "https://onion.example./",
  ])("%s is a public name (R-X340)", (url) => {
    expect(endpointUrlProblem(url, STRICT)).toBeUndefined();
  });
});
