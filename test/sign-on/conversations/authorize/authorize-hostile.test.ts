import { ConsentPolicy } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, newPkce, signIn } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import type { World } from "../../../support/world.ts";
import { describeSignOn, withApplication } from "../../sign-on-fixture.ts";
import { locationOf } from "./authorize-kit.ts";

/** The kind of an answer: a code, the error for the application, or the page that a person sees. */
const PAGES = [
  ["This application is not registered here", "page: application"],
  ["This application’s sign-in is not set up correctly", "page: redirect URI"],
  ["We cannot read this request", "page: unreadable"],
] as const;

function outcomeOf(answer: Answer): string {
  if (answer.status === 302) {
    const { searchParams, pathname } = locationOf(answer);
    if (searchParams.has("code")) return "code";
    return searchParams.get("error") ?? pathname;
  }
  return PAGES.find(([title]) => answer.text.includes(title))?.[1] ?? String(answer.status);
}

const BAD = "invalid_request";
const LOGIN = "/auth/login";

interface Row {
  /** Left out, and sent without a value: the same (RFC 6749 §3.1). */
  readonly missing: string;
  readonly tooLong: string;
  /** With an unexpected value: CR LF, 4-byte characters, markup. */
  readonly odd: string;
  /** Something that is good for this parameter. */
  readonly good: string;
}

/** Every parameter of an authorization request by a person who is signed in with an application that asks for no consent. */
const TABLE: Readonly<Record<string, Row>> = {
  client_id: { missing: "page: application", tooLong: "page: application", odd: "page: application", good: "" },
  redirect_uri: { missing: "page: redirect URI", tooLong: "page: redirect URI", odd: "page: redirect URI", good: "" },
  response_type: { missing: BAD, tooLong: BAD, odd: "unsupported_response_type", good: "code" },
  scope: { missing: BAD, tooLong: BAD, odd: "invalid_scope", good: "openid" },
  state: { missing: "code", tooLong: BAD, odd: "code", good: "s" },
  nonce: { missing: "code", tooLong: BAD, odd: "code", good: "n" },
  code_challenge: { missing: BAD, tooLong: BAD, odd: BAD, good: newPkce().challenge },
  code_challenge_method: { missing: "code", tooLong: BAD, odd: BAD, good: "S256" },
  prompt: { missing: "code", tooLong: BAD, odd: BAD, good: "none" },
  max_age: { missing: "code", tooLong: BAD, odd: BAD, good: "1000" },
  login_hint: { missing: "code", tooLong: BAD, odd: "code", good: "maren@example.com" },
  response_mode: { missing: "code", tooLong: BAD, odd: BAD, good: "query" },
  request: { missing: "code", tooLong: "request_not_supported", odd: "request_not_supported", good: "" },
  request_uri: { missing: "code", tooLong: "request_uri_not_supported", odd: "request_uri_not_supported", good: "" },
  registration: { missing: "code", tooLong: "registration_not_supported", odd: "registration_not_supported", good: "" },
  // It may be longer than an address can be (R-X12), and one that cannot be read is ignored (R-X108).
  id_token_hint: { missing: "code", tooLong: "code", odd: "code", good: "a.b.c" },
  acr_values: { missing: "code", tooLong: BAD, odd: "code", good: "1 2" },
  claims: { missing: "code", tooLong: BAD, odd: BAD, good: "{}" },
  ui_locales: { missing: "code", tooLong: BAD, odd: "code", good: "de" },
  claims_locales: { missing: "code", tooLong: BAD, odd: "code", good: "de" },
  display: { missing: "code", tooLong: BAD, odd: "code", good: "page" },
};

const ODD = "x\r\nset-cookie: a=b\r\n\r\n🙂𝟘<script>alert(1)</script>\"'";
const PROVING = ["client_id", "redirect_uri"];
const REFUSED = ["request", "request_uri", "registration"];

describeSignOn("GET /auth/authorize: every parameter, in every way that it can be wrong", (scene) => {
  let trusted: World;
  let browser: Browser;
  let logged = 0;
  beforeAll(async () => {
    const { signOn, world } = scene();
    trusted = await withApplication(signOn, world, { consent: ConsentPolicy.NEVER });
    browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(trusted), { email: world.email });
  });
  beforeEach(() => {
    logged = scene().signOn.log.lines.length;
  });

  /** The usual request; PKCE belongs together, so one half brings the other. */
  const usual = (name: string): Record<string, string | undefined> =>
    name === "code_challenge"
      ? { code_challenge_method: "S256" }
      : name === "code_challenge_method"
        ? { code_challenge: TABLE.code_challenge?.good }
        : {};
  const send = (name: string, value: string | undefined) =>
    browser.open(authorizePath(trusted, { ...usual(name), [name]: value }));
  /** Nothing that came with the request acts or shows, and nothing is our fault. */
  function expectHarmless(answer: Answer) {
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toContain("alert(1)");
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith("a=b"))).toEqual([]);
    expect(
      scene()
        .signOn.log.lines.slice(logged)
        .filter(({ level }) => level === "error"),
    ).toEqual([]);
  }
  const names = Object.keys(TABLE);
  const row = (name: string): Row => TABLE[name] as Row;

  it.each(names)("%s: missing, or empty", async (name) => {
    const expected = name === "code_challenge_method" ? BAD : row(name).missing;
    const answers = [await send(name, undefined), await send(name, "")];
    expect(answers.map(outcomeOf)).toEqual([expected, expected]);
    answers.forEach(expectHarmless);
  });

  it.each(names)("%s: too long", async (name) => {
    const answer = await send(name, "a".repeat(9_000));
    expect(outcomeOf(answer)).toBe(row(name).tooLong);
    expectHarmless(answer);
  });

  it.each(names)("%s: with line breaks, 4-byte characters and markup", async (name) => {
    const answer = await send(name, ODD);
    expect(outcomeOf(answer)).toBe(row(name).odd);
    expectHarmless(answer);
  });

  it.each(names)("%s: twice, alike or not", async (name) => {
    const value = PROVING.includes(name) ? ({ client_id: trusted.application.id }[name] ?? "x") : row(name).good || "x";
    const path = authorizePath(trusted, { ...usual(name), [name]: undefined });
    const twice = (one: string, other: string) =>
      browser.open(
        `${path}&${new URLSearchParams([
          [name, one],
          [name, other],
        ])}`,
      );
    const answers = [await twice(value, value), await twice(value, "other"), await twice("", value)];
    const expected = PROVING.includes(name) ? row(name).missing : BAD;
    expect(answers.map(outcomeOf)).toEqual([expected, expected, expected]);
    answers.forEach(expectHarmless);
  });

  it.each(names)("%s: NUL, half of a surrogate pair, broken encoding", async (name) => {
    const path = authorizePath(trusted, { [name]: undefined });
    const answers = await Promise.all(
      ["%00", "%ED%A0%80", "%", "%zz", "%C0%80", "%F5%80%80%80"].map((raw) => browser.open(`${path}&${name}=a${raw}`)),
    );
    // What is refused anyway is not read (R-S14).
    const expected = REFUSED.includes(name) ? row(name).odd : "page: unreadable";
    expect(answers.map(outcomeOf)).toEqual(answers.map(() => expected));
    answers.forEach(expectHarmless);
  });

  it.each(names)("%s: in a body with GET, or in the address with POST", async (name) => {
    const { signOn } = scene();
    const body = `${name}=${encodeURIComponent(row(name).good || "x")}`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const inBody = await call(signOn.url, authorizePath(trusted), { method: "GET", body, headers });
    const form = [...new URL(authorizePath(trusted), "http://any").searchParams] as [string, string][];
    const inAddress = await call(signOn.url, `/auth/authorize?${body}`, { method: "POST", form });
    expect(outcomeOf(inBody)).toBe("page: unreadable");
    expect([inAddress.status, locationOf(inAddress).searchParams.get("error")]).toEqual([303, BAD]);
    expectHarmless(inAddress);
  });

  it.each(names.filter((name) => !PROVING.includes(name) && row(name).good !== ""))("%s: good", async (name) => {
    expect(["code", LOGIN]).toContain(outcomeOf(await send(name, row(name).good)));
  });
});
