import { assets } from "#runtime/pages/assets.ts";
import { formTarget, pageHeaders, scriptAddress, scriptSource } from "#runtime/pages/page-headers.ts";

const policy = (headers: Record<string, string>) => headers["content-security-policy"];

describe("pageHeaders (S9, S11)", () => {
  it("returns the whole set (R-X2, R-X3)", () => {
    expect(pageHeaders()).toEqual({
      "content-security-policy":
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
  });

  it("adds each form target once, after our own origin", () => {
    const formTargets = ["https:", "http://127.0.0.1:8090", "com.example.app:", "https:"];
    expect(policy(pageHeaders({ formTargets }))).toContain(
      "; form-action 'self' https: http://127.0.0.1:8090 com.example.app:; ",
    );
  });

  it("lets one script run, by its hash", () => {
    expect(policy(pageHeaders({ script: scriptSource("alert(1)") }))).toContain(
      "; script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='; ",
    );
    expect(policy(pageHeaders())).not.toContain("script-src");
  });

  it("lets the pages' own script run, by its whole address (R-X204)", () => {
    expect(policy(pageHeaders({ script: scriptAddress("https://gatehouse.example:8443") }))).toContain(
      `; script-src https://gatehouse.example:8443${assets.script.href}; `,
    );
  });

  it("lets no script run where a source cannot name the address: IPv6 (CSP3 §2.3.1)", () => {
    expect(scriptAddress("http://[::1]:8080")).toBeUndefined();
    expect(policy(pageHeaders({ script: scriptAddress("http://[::1]:8080") }))).not.toContain("script-src");
  });

  it.each([
    ...["", "'self'", "'unsafe-inline'", "'sha256-x'", "'sha256-'; script-src *"],
    ...["https://a.example", "https://a.example/assets/", "https://a.example/assets/x-0123456789ab.js; script-src *"],
  ])("refuses %j as a script", (script) => {
    expect(() => pageHeaders({ script })).toThrow(RangeError);
  });

  it("allows caching of a page where asked for", () => {
    expect(pageHeaders({ cacheControl: "no-cache" })["cache-control"]).toBe("no-cache");
  });

  it.each([
    "",
    "*",
    "'unsafe-inline'",
    "https: *",
    "https:; script-src *",
    "https:\r\nx: y",
    "http://a/b",
    "//a",
    "null",
  ])("refuses %j as a form target", (target) => {
    expect(() => pageHeaders({ formTargets: [target] })).toThrow(RangeError);
  });
});

describe("formTarget (R-S15, R-X4)", () => {
  it.each([
    ["https://app.example/callback?x=1", "https:"],
    ["https://app.example", "https:"],
    ["http://127.0.0.1:53124/callback", "http://127.0.0.1:53124"],
    ["http://localhost:8090", "http://localhost:8090"],
    ["http://[::1]:53124/callback", "http:"],
    ["com.example.app:/callback", "com.example.app:"],
    ["com.example.app:", "com.example.app:"],
    ["com.example.app://callback", "com.example.app:"],
  ])("of %s is %s", (address, expected) => {
    expect(formTarget(address)).toBe(expected);
  });

  it("returns what pageHeaders accepts", () => {
    const formTargets = ["https://ü.example", "http://LOCALHOST:80/", "http://[::1]/", "a+b.c-d:x"].map(formTarget);
    expect(policy(pageHeaders({ formTargets }))).toContain("'self' https: http://localhost http: a+b.c-d:;");
  });

  it("refuses a malformed address", () => {
    expect(() => formTarget("null")).toThrow("Invalid URL");
  });
});
