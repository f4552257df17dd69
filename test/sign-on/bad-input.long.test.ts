import { operations } from "../../generated/operations/sign-on.ts";
import { authorizePath, Browser, obtainCode, tokenOf } from "../support/browser.ts";
import { type Answer, type CallInit, call } from "../support/http.ts";
import { closingAfterAll } from "../support/scope.ts";
import { eachStore } from "../support/stores.ts";
import { makeWorld, PASSWORD, REDIRECT_URI, type World } from "../support/world.ts";
import { openSignOn, type SignOn, signOnSets } from "./sign-on-fixture.ts";

/** What a store, a parser, a template or a log could trip over (S40). */
const HOSTILE: readonly (readonly [string, string])[] = [
  ["NUL", "\u0000"],
  ["NUL within", "app_\u0000x"],
  ["control characters", "\u0001\u0008\u001f\u007f\u0085"],
  ["line breaks", "a\r\nset-cookie: x=y\r\n\r\n<script>"],
  ["four-byte characters", "🙂𝟘𐍈".repeat(20)],
  ["characters that are none", "\uffff\ufffe\ufeff"],
  ["right to left", "\u202e\u2066abc"],
  ["SQL", "'; drop table sign_on_sessions; -- \" \\ % _"],
  ["a member of every object", "__proto__"],
  ["another member", "constructor"],
  ["markup", `"'><script>alert(1)</script>`],
  ["a path", "../../../../etc/passwd"],
  ["an exotic number", "-1e999"],
  ["a template", "{{7*7}}<%= 7*7 %>#{7*7}"],
  ["3 kB", "a".repeat(3_000)],
];

/** Half of a surrogate pair exists in JSON only. */
const LONE = '"\\ud800"';

eachStore((_, open) => {
  let signOn: SignOn;
  let world: World;
  const closeLater = closingAfterAll();
  beforeAll(async () => {
    signOn = await openSignOn(await open(signOnSets), closeLater);
    world = await makeWorld(signOn);
  });

  const send = (path: string, init?: CallInit) => call(signOn.url, path, init);
  /** No 5xx, nothing reflected that could act, and not one error in the log. The contract is held by `call`. */
  function expectHarmless(answers: readonly Answer[], accepted: readonly number[] = []) {
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status >= 500 || (status < 400 && !accepted.includes(status)))).toEqual([]);
    expect(answers.filter(({ text }) => text.includes("<script>alert"))).toEqual([]);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie()).filter((line) => line.startsWith("x="))).toEqual(
      [],
    );
    expect(signOn.log.lines.slice(logged).filter(({ level }) => level === "error")).toEqual([]);
  }
  let logged = 0;
  beforeEach(() => {
    logged = signOn.log.lines.length;
  });

  it.each(HOSTILE)("in any parameter of an authorization request: %s", async (_title, value) => {
    const names = [
      "client_id",
      "redirect_uri",
      "response_type",
      "scope",
      "code_challenge",
      "prompt",
      "max_age",
      "request",
    ];
    const opaque = ["state", "nonce", "login_hint", "acr_values", "claims", "id_token_hint", "unknown"];
    const answers = await Promise.all(
      [...names, ...opaque].map((name) => send(authorizePath(world, { [name]: value }))),
    );
    expectHarmless(answers, [302]);
  });

  it.each(HOSTILE)("as the name of a repeated parameter, reflected nowhere: %s (R-X133)", async (_title, name) => {
    const type = "application/x-www-form-urlencoded";
    const twice = `${encodeURIComponent(name)}=1&${encodeURIComponent(name)}=2`;
    const posts = [
      "/auth/token",
      "/auth/revoke",
      "/auth/introspect",
      "/auth/userinfo",
      "/auth/logout",
      "/auth/authorize",
    ];
    const login = "/auth/login?interaction=x";
    const forms = [...posts, login].map((path) =>
      send(path, { method: "POST", body: twice, headers: { "content-type": type } }),
    );
    const json = { method: "POST", body: `{${JSON.stringify(name)}:1,${JSON.stringify(name)}:2}` };
    const headers = { "content-type": "application/json" };
    const answers = await Promise.all([...forms, send("/auth/token", { ...json, headers })]);
    // Signing out ignores what it does not know, twice or not.
    expectHarmless(answers, [303]);
    const serialized = answers.map((answer) => JSON.stringify([[...answer.headers], answer.text]));
    const word = /^[A-Za-z_]+$/.test(name);
    expect(serialized.filter((text) => !word && text.includes(JSON.stringify(name).slice(1, -1)))).toEqual([]);
  });

  it.each(HOSTILE)("all the way through a sign-in, as state, nonce and hint: %s", async (_title, value) => {
    const browser = new Browser(signOn.url);
    const step = await browser.follow(authorizePath(world, { state: value, nonce: value, login_hint: value }));
    expectHarmless([step.answer], [200, 302]);
  });

  it.each(HOSTILE)("in the address and the forms of the pages: %s", async (_title, value) => {
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(world));
    const form_token = tokenOf(login.answer);
    const query = new URLSearchParams({ interaction: value });
    const answers = [
      await send(`/auth/login?${query}`),
      await send(`/auth/consent?${query}`),
      await send(`/auth/login?${query}`, { form: { form_token, email: world.email, password: PASSWORD } }),
      await send(`/auth/consent?${query}`, { form: { form_token, decision: "approve" } }),
      await browser.open(login.path, { form: { form_token, email: value, password: PASSWORD } }),
      await browser.open(login.path, { form: { form_token, email: world.email, password: value } }),
      await browser.open(login.path, { form: { form_token: value, email: world.email, password: PASSWORD } }),
      await browser.open(login.path.replace("login", "consent"), { form: { form_token, decision: value } }),
    ];
    expectHarmless(answers);
  });

  it.each(HOSTILE)("in the forms of the account and in its addresses: %s", async (_title, value) => {
    const browser = new Browser(signOn.url);
    const signInPage = await browser.follow("/auth/account/sign-in");
    const form_token = tokenOf(signInPage.answer);
    const right = { form_token, email: world.email, password: PASSWORD };
    const before = [
      await browser.open("/auth/account/sign-in", { form: { ...right, email: value } }),
      await browser.open("/auth/account/sign-in", { form: { ...right, password: value } }),
      await browser.open("/auth/account/sign-in", { form: { ...right, form_token: value } }),
    ];
    const account = await browser.submit(signInPage.answer, { email: world.email, password: PASSWORD });
    const form = { form_token: tokenOf(account.answer), action: "withdraw" };
    const ids = { application: world.application.id, instance: world.instanceId };
    const passwordToken = tokenOf(await browser.open("/auth/account/password"));
    const change = { form_token: passwordToken, old_password: "x", password: value, password_again: value };
    const answers = [
      ...before,
      await browser.open(`/auth/account?${new URLSearchParams({ done: value })}`),
      await browser.open("/auth/account", { form: { ...form, ...ids, action: value } }),
      await browser.open("/auth/account", { form: { ...form, ...ids, application: value } }),
      await browser.open("/auth/account", { form: { ...form, ...ids, instance: value } }),
      await browser.open("/auth/account", { form: { ...form, action: "end_session", session: value } }),
      await browser.open("/auth/account", { form: { ...form, form_token: value } }),
      await browser.open("/auth/account/password", { form: change }),
      await browser.open("/auth/account/password", { form: { ...change, form_token: value } }),
    ];
    expectHarmless(answers, [303]);
  });

  it.each(HOSTILE)("in any parameter of a request for sign-out, and in its pages: %s", async (_title, value) => {
    const names = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state", "logout_hint", "ui_locales", "x"];
    const query = new URLSearchParams({ logout: value });
    const answers = await Promise.all([
      ...names.map((name) => send(`/auth/logout?${new URLSearchParams({ [name]: value })}`)),
      ...names.map((name) => send("/auth/logout", { form: { [name]: value } })),
      send(`/auth/sign-out?${query}`),
      send(`/auth/sign-out?${query}`, { form: { form_token: value } }),
      send("/auth/sign-out", { form: { form_token: value } }),
      send(`/auth/signed-out?${query}`),
    ]);
    expectHarmless(answers, [200, 303]);
  });

  it.each(HOSTILE)("in any parameter of a token request, form and JSON: %s", async (_title, value) => {
    const code = await obtainCode(signOn.url, world);
    const credentials = { client_id: world.application.id, client_secret: world.application.secret };
    const right = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...credentials };
    const refresh = { grant_type: "refresh_token", refresh_token: "x", scope: "openid", ...credentials };
    const requests = [
      ...["grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier"].map((name) => ({
        ...right,
        [name]: value,
      })),
      ...["refresh_token", "scope", "client_id", "unknown"].map((name) => ({ ...refresh, [name]: value })),
    ];
    const answers = await Promise.all(
      requests.flatMap((parameters) => [
        send("/auth/token", { form: parameters }),
        send("/auth/token", { json: parameters }),
      ]),
    );
    expectHarmless(answers);
  });

  it.each(HOSTILE)("in HTTP Basic, escaped or not: %s", async (_title, value) => {
    const { id, secret } = world.application;
    const form = { grant_type: "refresh_token", refresh_token: "x" };
    const pairs = [
      `${value}:${secret}`,
      `${id}:${value}`,
      value,
      `${encodeURIComponent(value)}:${encodeURIComponent(value)}`,
    ];
    const answers = await Promise.all(
      pairs.map((pair) =>
        send("/auth/token", { form, headers: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } }),
      ),
    );
    expectHarmless(answers);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  });

  it.each(["grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier"])(
    "half of a surrogate pair in %s",
    async (name) => {
      const right = {
        grant_type: "authorization_code",
        code: "x",
        redirect_uri: "x",
        client_id: "x",
        client_secret: "x",
      };
      const body = JSON.stringify({ ...right, [name]: "LONE" }).replace('"LONE"', LONE);
      const answer = await send("/auth/token", { body, headers: { "content-type": "application/json" } });
      expectHarmless([answer]);
      expect(answer.json()).toMatchObject({ error: "invalid_request" });
    },
  );

  it.each(["a.b.c", "AAAA", "~", "-._~+/==", "a".repeat(10_000)])("as an access token: %s", async (token) => {
    const answer = await send("/auth/userinfo", { headers: { authorization: `Bearer ${token}` } });
    expectHarmless([answer]);
    expect(answer.status).toBe(401);
  });

  it.each(HOSTILE)("as the application of an access token that nobody signed: %s (R-X114)", async (_title, value) => {
    const payload = Buffer.from(JSON.stringify({ client_id: value })).toString("base64url");
    const headers = { authorization: `Bearer e30.${payload}.AA`, origin: "https://app.example" };
    const answers = await Promise.all(["GET", "POST"].map((method) => send("/auth/userinfo", { method, headers })));
    expectHarmless(answers);
    expect(answers.map((answer) => answer.headers.get("access-control-allow-origin"))).toEqual([null, null]);
  });

  it.each([
    "gatehouse_session=",
    "gatehouse_session=%00",
    "gatehouse_session=é",
    "=",
    ";;;",
    "gatehouse_session",
    "a=b;".repeat(1_000),
  ])("as a cookie: %s", async (cookie) => {
    const answers = [
      await send(authorizePath(world), { headers: { cookie } }),
      await send("/auth/login?interaction=x", { headers: { cookie } }),
    ];
    expectHarmless(answers, [302]);
  });

  it.each(
    Object.entries(operations)
      .filter(([, { method }]) => method === "GET")
      .map(([operationId, { path }]) => [operationId, path] as const),
  )("a malformed query or a body: %s keeps its contract (R-D7, R-X26)", async (_operationId, path) => {
    // `call` holds each answer against the contract.
    const answers = await Promise.all([
      ...["a=%zz", "a=%00", "%=a"].map((query) => send(`${path}?${query}`)),
      send(path, { method: "GET", json: {} }),
    ]);
    expectHarmless(answers, [200, 302, 303]);
  });

  it("and the product goes on", async () => {
    expect(await obtainCode(signOn.url, world)).toMatch(/^[\w-]{64}$/);
  });
});
