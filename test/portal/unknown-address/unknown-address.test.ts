import { type Answer, call } from "../../support/http.ts";
import { startEdgeAlone } from "../../support/whole-edge.ts";

const CHROME =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7";
const FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const FOR_A_PAGE = [
  CHROME,
  FIREFOX,
  "text/html",
  "TEXT/HTML",
  "text/*",
  "text/html;charset=utf-8",
  "text/html ; q=0.2 , application/json;q=0.1",
  "application/json;q=0.9, text/html",
  "text/html, application/json;q=oops",
  "*/*, application/json;q=0, application/problem+json;q=0",
];
const FOR_JSON = [
  undefined,
  "",
  "*/*",
  "application/json",
  "application/problem+json",
  "application/*",
  "application/json, text/html",
  "text/html, application/problem+json",
  "text/html;q=0.8, application/json",
  "text/html;q=0, */*",
  "text/html;q=0",
  "text/html;q=2",
  "text/html;q=0.8, */*",
  "text/plain",
  "text/htmlx",
  ";,;q=1,/",
];

const PAGE = "text/html; charset=utf-8";
const PROBLEM = "application/problem+json";

const accepting = (accept: string | undefined) => (accept === undefined ? {} : { headers: { accept } });
const kindOf = ({ status, headers }: Answer) => [status, headers.get("content-type"), headers.get("vary")];

describe("an unknown address (R-X208)", () => {
  let edge: Awaited<ReturnType<typeof startEdgeAlone>>;
  let url: string;

  beforeAll(async () => {
    edge = await startEdgeAlone({ issuer: "https://sign-on.example", gatewayUrl: "https://gateway.example" });
    url = edge.url;
  });
  afterAll(() => edge.stop());

  it.each(FOR_A_PAGE)("is a page for GET and HEAD that accept %j", async (accept) => {
    const answers = [
      await call(url, "/nowhere", accepting(accept)),
      await call(url, "/nowhere", { method: "HEAD", ...accepting(accept) }),
    ];
    expect(answers.map(kindOf)).toEqual([
      [404, PAGE, "accept"],
      [404, PAGE, "accept"],
    ]);
  });

  it.each(FOR_JSON)("is a problem for GET and HEAD that accept %j", async (accept) => {
    const answers = [
      await call(url, "/nowhere", accepting(accept)),
      await call(url, "/nowhere", { method: "HEAD", ...accepting(accept) }),
    ];
    expect(answers.map(kindOf)).toEqual([
      [404, PROBLEM, "accept"],
      [404, PROBLEM, "accept"],
    ]);
    expect(answers[0]?.json()).toMatchObject({ code: "not_found" });
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PROPFIND"])(
    "is a problem for %s, whatever it accepts",
    async (method) => {
      expect(kindOf(await call(url, "/nowhere", { method, ...accepting(FIREFOX) }))).toEqual([404, PROBLEM, null]);
    },
  );

  it.each([
    "/no/where",
    "/docs/no/where",
    "/assets",
    "/%64ocs",
    "/v3",
    "/v10/tenants",
    "/authx",
    "/index.html",
    "/%00",
  ])("%s is a page for a browser", async (path) => {
    expect(kindOf(await call(url, path, accepting(CHROME)))).toEqual([404, PAGE, "accept"]);
  });

  it.each([
    "/docs/nothing",
    "/docs/guides/nothing",
    "/docs/guides/nothing.md",
    "/problems/nothing",
    "/contracts/nothing",
    "/sdks/nothing.tgz",
    "/tools/nothing.tgz",
    "/assets/nothing.css",
    `/docs/${"a".repeat(300)}`,
  ])("%s, a name that is unknown, is a page for browsers and a problem for programs", async (path) => {
    const answers = [
      await call(url, path, accepting(CHROME)),
      await call(url, path, { method: "HEAD", ...accepting(FIREFOX) }),
      await call(url, path),
      await call(url, path, accepting("*/*")),
      await call(url, path, accepting("application/json, text/html")),
    ];
    expect(answers.map(kindOf)).toEqual([
      [404, PAGE, "accept"],
      [404, PAGE, "accept"],
      [404, PROBLEM, "accept"],
      [404, PROBLEM, "accept"],
      [404, PROBLEM, "accept"],
    ]);
    expect(answers[0]?.text).toContain(`<code>${answers[0]?.headers.get("x-request-id")}</code>`);
    expect(answers[2]?.json()).toMatchObject({
      code: "not_found",
      requestId: answers[2]?.headers.get("x-request-id"),
    });
  });

  it.each([
    ["/v1/nowhere", PROBLEM],
    ["/v2", PROBLEM],
  ])("%s has the form of its own area, for browsers too: %s", async (path, type) => {
    const [browser, program] = [await call(url, path, accepting(CHROME)), await call(url, path)];
    expect(kindOf(browser)).toEqual(kindOf(program));
    expect([browser.status, browser.headers.get("content-type")]).toEqual([404, type]);
  });

  it.each(["/auth/nowhere", "/auth/set-", "/auth", "/.well-known/nowhere", "/.well-known"])(
    "%s is a page of sign-on for browsers, and an error of OAuth for programs",
    async (path) => {
      const answers = [
        await call(url, path, accepting(CHROME)),
        await call(url, path, { method: "HEAD", ...accepting(FIREFOX) }),
        await call(url, path),
        await call(url, path, accepting("*/*")),
        await call(url, path, { method: "POST", ...accepting(CHROME) }),
      ];
      expect(answers.map(kindOf)).toEqual([
        [404, PAGE, "accept"],
        [404, PAGE, "accept"],
        [404, "application/json", "accept"],
        [404, "application/json", "accept"],
        [404, "application/json", null],
      ]);
      expect(answers[2]?.json()).toMatchObject({ error: "invalid_request" });
    },
  );

  it("below /auth the page is in the language of the browser or of the address, and leads to the account in it", async () => {
    const german = { headers: { accept: CHROME, "accept-language": "de-AT,de;q=0.9" } };
    const { text, headers } = await call(url, "/auth/set-?token=%3Cb%3E", german);
    expect(text).toContain('<html lang="de">');
    expect(text).toContain("<title>Hier ist keine Seite · Gatehouse</title>");
    expect(text).toContain(`<code>${headers.get("x-request-id")}</code>`);
    expect(text).toContain('href="/auth/account"');
    expect(headers.get("content-language")).toBe("de");
    expect(text).not.toMatch(/set-|token|<b>/);
    const asked = await call(url, "/auth/set-?ui_locales=en", german);
    expect(asked.text).toContain("<h1>There is no page here</h1>");
    expect(asked.text).toContain('href="/auth/account?ui_locales=en"');
  });

  it("another refusal before an operation is a problem for browsers too", async () => {
    const answers = [
      await call(url, "/docs", { method: "POST", ...accepting(CHROME) }),
      await call(url, "/%zz", { method: "POST", ...accepting(CHROME) }),
      await call(url, "/v1/%zz", accepting(CHROME)),
    ];
    expect(answers.map(kindOf)).toEqual([
      [405, PROBLEM, null],
      [400, PROBLEM, null],
      [400, PROBLEM, null],
    ]);
  });

  it.each([
    ["/%zz", PROBLEM],
    ["/docs/guides/caf%C3", PROBLEM],
    ["/docs/%", PROBLEM],
    ["/auth/set-pass%7", "application/json"],
    ["/.well-known/%ff", "application/json"],
  ])("%s, whose percent-encoding is malformed, is a page with 400 for browsers", async (path, type) => {
    const answers = [
      await call(url, path, accepting(CHROME)),
      await call(url, path, { method: "HEAD", ...accepting(FIREFOX) }),
      await call(url, path),
      await call(url, path, accepting("application/json, text/html")),
    ];
    expect(answers.map(kindOf)).toEqual([
      [400, PAGE, "accept"],
      [400, PAGE, "accept"],
      [400, type, "accept"],
      [400, type, "accept"],
    ]);
    expect(answers[0]?.text).toContain(`<code>${answers[0]?.headers.get("x-request-id")}</code>`);
    expect(answers[0]?.text).not.toContain("%");
    expect(answers[2]?.text).toContain("has malformed percent-encoding in its path");
  });

  it("the page names the request, leads on, repeats nothing of the address, and is neither listed nor kept", async () => {
    const { text, headers } = await call(url, "/%3Cscript%3Ealert(1)%3C/script%3E?q=%3Cb%3Enowhere", accepting(CHROME));
    expect(text).toContain("<h1>Page not found</h1>");
    expect(text).toContain(`<code>${headers.get("x-request-id")}</code>`);
    expect([...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href)).toEqual(
      expect.arrayContaining(["/", "/docs"]),
    );
    expect(text).not.toMatch(/script|alert|nowhere/);
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-security-policy": expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": "no-store",
    });
  });
});
