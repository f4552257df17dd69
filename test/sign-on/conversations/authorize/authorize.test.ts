import { ApplicationKind, ConsentPolicy } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, newPkce, redeem, signIn } from "../../../support/browser.ts";
import { type Answer, call, sendRaw } from "../../../support/http.ts";
import { REDIRECT_URI } from "../../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";

/** A parameter list as sent, repeats and order kept. */
const pathOf = (pairs: readonly (readonly [string, string])[]) =>
  `/auth/authorize?${new URLSearchParams(pairs as [string, string][])}`;
const locationOf = (answer: Answer) => new URL(answer.headers.get("location") ?? "none:", "http://relative.invalid");
const parametersOf = (url: URL) => Object.fromEntries(url.searchParams);
const claimsOf = (idToken: string) =>
  JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;

describeSignOn("GET /auth/authorize: what is not proven gets a page (S1, R-S14)", (scene) => {
  const EVIL = "https://evil.example/callback?steal=1";

  function expectPage(answer: Answer, title: string) {
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.text).toContain(title);
    expect(answer.text).toContain(answer.headers.get("x-request-id"));
    expect(answer.text).not.toMatch(/evil|steal|callback/);
  }

  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["unknown", "app_AAAAAAAAAAAAAAAAAAAAA"],
    ["no id at all", "evil"],
    ["another kind of id", "person_AAAAAAAAAAAAAAAAAAAAA"],
    ["with a NUL", "app_\u0000"],
    ["hostile", "'; drop table sign_on_applications; --"],
    ["markup", "<script>evil()</script>"],
    ["very long", "a".repeat(5_000)],
  ])("an application that is %s", async (_, client_id) => {
    const { signOn, world } = scene();
    const answer = await call(signOn.url, authorizePath(world, { client_id, redirect_uri: EVIL }));
    expectPage(answer, "We do not know this application");
  });

  it("an application in another case, or with white space around it", async () => {
    const { signOn, world } = scene();
    const { id } = world.application;
    for (const client_id of [id.toLowerCase(), id.toUpperCase(), ` ${id}`, `${id}\n`]) {
      expectPage(await call(signOn.url, authorizePath(world, { client_id })), "We do not know this application");
    }
  });

  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["another site's", EVIL],
    ["without the scheme", "//localhost:9/callback"],
    ["in another case", REDIRECT_URI.toUpperCase()],
    ["with a slash more", `${REDIRECT_URI}/`],
    ["with a query more", `${REDIRECT_URI}?next=${EVIL}`],
    ["with a fragment", `${REDIRECT_URI}#`],
    ["on another port", "http://localhost:10/callback"],
    ["of another host with our name in it", "http://localhost:9@evil.example/callback"],
    ["markup", `javascript:fetch('${EVIL}')`],
    ["with a line feed", `${REDIRECT_URI}\n`],
    ["very long", `${REDIRECT_URI}?${"a".repeat(5_000)}`],
  ])("a redirect URI that is %s", async (_, redirect_uri) => {
    const { signOn, world } = scene();
    const answer = await call(signOn.url, authorizePath(world, { redirect_uri }));
    expectPage(answer, "We do not know the way back");
  });

  it("a redirect URI that another application registered", async () => {
    const { signOn, world } = scene();
    const redirectUri = { uri: "https://other.example/back", instanceId: world.instanceId };
    await withApplication(signOn, world, { redirectUris: [redirectUri] });
    expectPage(await call(signOn.url, authorizePath(world, { redirect_uri: redirectUri.uri })), "the way back");
  });

  it("a repeated client_id or redirect_uri, alike or not: no redirect to either (S4)", async () => {
    const { signOn, world } = scene();
    const application = ["client_id", world.application.id] as const;
    const redirect = ["redirect_uri", REDIRECT_URI] as const;
    const rest = [
      ["response_type", "code"],
      ["scope", "openid"],
    ] as const;
    const unknown = [
      [application, application, redirect],
      [application, ["client_id", "evil"], redirect],
      [["client_id[]", application[1]], redirect],
      [["client_id[0]", application[1]], redirect],
    ] as const;
    const unregistered = [
      [application, redirect, redirect],
      [application, redirect, ["redirect_uri", EVIL]],
      [application, ["redirect_uri", EVIL], redirect],
      [application, ["redirect_uri[]", REDIRECT_URI]],
    ] as const;
    for (const pairs of unknown)
      expectPage(await call(signOn.url, pathOf([...pairs, ...rest])), "We do not know this application");
    for (const pairs of unregistered)
      expectPage(await call(signOn.url, pathOf([...pairs, ...rest])), "We do not know the way back");
  });

  it.each([
    { prompt: "none" },
    { response_type: "token" },
    { scope: "nothing" },
    { response_mode: "form_post" },
    { request: "x" },
    { response_type: undefined, scope: undefined, state: undefined },
  ])("whatever else is asked: %j (RFC 9700 §4.11.2)", async (more) => {
    const { signOn, world } = scene();
    expectPage(await call(signOn.url, authorizePath(world, { ...more, redirect_uri: EVIL })), "the way back");
    expectPage(await call(signOn.url, authorizePath(world, { ...more, client_id: "evil" })), "this application");
  });

  it("for a person who is signed in, too", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(world), { email: world.email });
    expectPage(await browser.open(authorizePath(world, { redirect_uri: EVIL, prompt: "none" })), "the way back");
  });

  it.each([
    "?%",
    "?client_id=%zz",
    "?client_id=%ff%fe",
    "?state=%00",
    "?state=%C0%80",
    `?${"a&".repeat(300)}`,
    "?",
    "",
  ])("a query that cannot be read: %s", async (query) => {
    const { signOn } = scene();
    expectPage(await call(signOn.url, `/auth/authorize${query}`), "We do not know this application");
  });

  it("the same page for a proven request whose query cannot be read", async () => {
    const { signOn, world } = scene();
    const answer = await call(signOn.url, `${authorizePath(world)}&nonce=%E0%A4%A`);
    expectPage(answer, "We do not know this application");
  });

  it("sends strict headers with the page (S9, S11)", async () => {
    const { signOn } = scene();
    const { headers } = await call(signOn.url, "/auth/authorize");
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    // same-origin keeps code, state and tokens from other sites as no-referrer does, and lets our forms carry their origin.
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });
});

describeSignOn("GET /auth/authorize: errors at the redirect URI (spec §7.1, RFC 6749 §4.1.2.1)", (scene) => {
  const CHALLENGE = newPkce().challenge;

  it.each<[Record<string, string | undefined>, string]>([
    [{ response_type: undefined }, "invalid_request"],
    [{ response_type: "" }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_type: "code id_token" }, "unsupported_response_type"],
    [{ scope: undefined }, "invalid_request"],
    [{ scope: "openid unknown" }, "invalid_scope"],
    [{ scope: "openid  email" }, "invalid_scope"],
    [{ code_challenge: CHALLENGE }, "invalid_request"],
    [{ code_challenge: CHALLENGE, code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge: "short", code_challenge_method: "S256" }, "invalid_request"],
    [{ prompt: "none login" }, "invalid_request"],
    [{ prompt: "sing" }, "invalid_request"],
    [{ max_age: "-1" }, "invalid_request"],
    [{ response_mode: "fragment" }, "invalid_request"],
    [{ request: "x" }, "request_not_supported"],
    [{ request_uri: "https://evil.example/" }, "request_uri_not_supported"],
    [{ prompt: "none" }, "login_required"],
  ])("%j: %s", async (given, error) => {
    const { signOn, world } = scene();
    const state = `st "<&>' 🙂 ${error}`;
    const answer = await call(signOn.url, authorizePath(world, { ...given, state }));
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(/^http:\/\/localhost:9\/callback\?error=/);
    expect(parametersOf(locationOf(answer))).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+\.$/),
      state,
      iss: signOn.issuer,
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.text).toBe("");
  });

  it("tells a repeated parameter, and repeats no state that was sent twice (S4)", async () => {
    const { signOn, world } = scene();
    const repeated = await call(signOn.url, `${authorizePath(world)}&scope=openid`);
    expect(parametersOf(locationOf(repeated))).toMatchObject({ error: "invalid_request", state: "st-4711" });
    const states = await call(signOn.url, `${authorizePath(world)}&state=other`);
    expect(parametersOf(locationOf(states))).toEqual({
      error: "invalid_request",
      error_description: "The parameter state stands more than once.",
      iss: signOn.issuer,
    });
  });

  it("tells a scope that the application is not registered for", async () => {
    const { signOn, world } = scene();
    const modest = await withApplication(signOn, world, { scopes: ["openid"] });
    const answer = await call(signOn.url, authorizePath(modest, { scope: "openid email" }));
    expect(parametersOf(locationOf(answer))).toMatchObject({ error: "invalid_scope" });
  });

  it.each([
    ["a public one", { kind: ApplicationKind.APPLICATION_KIND_BROWSER }],
    ["one marked so", { pkceRequired: true }],
  ])("asks %s for a challenge (R-S16, S22)", async (_, more) => {
    const { signOn, world } = scene();
    const application = await withApplication(signOn, world, more);
    const answer = await call(signOn.url, authorizePath(application));
    expect(parametersOf(locationOf(answer))).toMatchObject({ error: "invalid_request" });
    const challenged = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
    const accepted = await call(signOn.url, authorizePath(application, challenged));
    expect(locationOf(accepted).pathname).toBe("/auth/login");
  });

  it("keeps the query that the redirect URI was registered with, and refuses another one", async () => {
    const { signOn, world } = scene();
    const uri = "https://app.example/cb?tenant=a%2Fb&empty";
    const application = await withApplication(signOn, world, { redirectUris: [{ uri, instanceId: world.instanceId }] });
    const answer = await call(signOn.url, authorizePath(application, { redirect_uri: uri, scope: "x" }));
    expect(answer.headers.get("location")).toMatch(
      /^https:\/\/app\.example\/cb\?tenant=a%2Fb&empty&error=invalid_scope&/,
    );
    const other = await call(signOn.url, authorizePath(application, { redirect_uri: `${uri}&x=1` }));
    expect(other.status).toBe(400);
  });

  it("does not write state, nonce or hint to the log (S7, S50)", async () => {
    const { signOn, world } = scene();
    const secrets = { state: "canary-state", nonce: "canary-nonce", login_hint: "canary-hint" };
    await call(signOn.url, authorizePath(world, { ...secrets, prompt: "none" }));
    await call(signOn.url, authorizePath(world, secrets));
    await call(signOn.url, authorizePath(world, { ...secrets, client_id: "canary-application" }));
    expect(signOn.log.lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(signOn.log.lines)).not.toContain("canary");
  });
});

describeSignOn("GET /auth/authorize: on to the login page", (scene) => {
  it("keeps the request at the server and gives the browser a cookie for it (S6)", async () => {
    const { signOn, world } = scene();
    const answer = await call(signOn.url, authorizePath(world, { state: "visible", nonce: "visible" }));
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(/^\/auth\/login\?interaction=[A-Za-z0-9]{22}$/);
    const id = locationOf(answer).searchParams.get("interaction");
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^gatehouse_interaction_${id}=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600$`),
      ),
    ]);
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain("visible");
  });

  it("makes another interaction and another cookie for every request", async () => {
    const { signOn, world } = scene();
    const answers = await Promise.all([1, 2, 3].map(() => call(signOn.url, authorizePath(world))));
    expect(new Set(answers.map((answer) => answer.headers.get("location"))).size).toBe(3);
    expect(new Set(answers.map((answer) => answer.headers.getSetCookie()[0]?.split(";")[0]?.split("=")[1])).size).toBe(
      3,
    );
  });

  it("does not let abandoned sign-ins fill the cookie header: the oldest go beyond sixteen", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const first = await browser.open(authorizePath(world));
    for (let begun = 1; begun < 40; begun++) await browser.open(authorizePath(world));
    expect(browser.cookies.size).toBe(17);
    const gone = await browser.open(first.headers.get("location") ?? "");
    expect(gone.text).toContain("did not begin in this browser");
  });

  it.each<Record<string, string>>([
    { utm_source: "newsletter", extra: "foobar" },
    { display: "popup", ui_locales: "de fr", claims_locales: "de", acr_values: "1 2" },
    { display: "page", claims: '{"userinfo":{"name":{"essential":true}}}' },
    { id_token_hint: "not.a.token", registration: "x" },
    { "": "", toString: "x", __proto__: "x" },
  ])("ignores %j (S5, RFC 6749 §3.1)", async (more) => {
    const { signOn, world } = scene();
    const answer = await call(signOn.url, authorizePath(world, more));
    expect(locationOf(answer).pathname).toBe("/auth/login");
  });

  it("does not depend on the order of parameters", async () => {
    const { signOn, world } = scene();
    const pairs = [...new URL(authorizePath(world), "http://x").searchParams].reverse();
    expect(locationOf(await call(signOn.url, pathOf(pairs))).pathname).toBe("/auth/login");
  });

  it.each([
    ["maren@example.com", 'value="maren@example.com"'],
    ['"><script>alert(1)</script>', 'value="&quot;&gt;&lt;script&gt;'],
    ["🙂 é\r\n", 'value="🙂 é'],
  ])("fills in the hint %j, as text (OIDC Core §3.1.2.1 login_hint)", async (login_hint, shown) => {
    const { signOn, world } = scene();
    const { answer } = await new Browser(signOn.url).follow(authorizePath(world, { login_hint }));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(shown);
    expect(answer.text).not.toContain("<script");
  });

  it("goes on to https with __Host- cookies where the issuer is https (S13), whatever the Host header says (S36)", async () => {
    const { signOn, world } = scene();
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    const forged = { ...headers, forwarded: "host=evil.example;proto=https" };
    const page = await call(signOn.url, authorizePath(world), { headers: forged });
    expect(page.headers.get("location")).toMatch(/^\/auth\/login/);
    expect(page.headers.getSetCookie().join()).not.toMatch(/secure|evil/i);
    const error = await call(signOn.url, authorizePath(world, { prompt: "none" }), { headers: forged });
    expect(locationOf(error).searchParams.get("iss")).toBe(signOn.issuer);
    expect(error.headers.get("location")).not.toContain("evil");
  });
});

describeSignOn("GET /auth/authorize: for a person who is signed in", (scene) => {
  async function signedIn() {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, `${Math.random().toString(36).slice(2)}@harbour.example`);
    const browser = new Browser(signOn.url);
    const first = await signIn(browser, authorizePath(person), { email: person.email });
    return { signOn, person, browser, first };
  }
  async function idTokenOf(person: Parameters<typeof redeem>[1], location: URL) {
    const { signOn } = scene();
    const answer = await redeem(signOn.url, person, location.searchParams.get("code") ?? "");
    return claimsOf(answer.json<{ id_token: string }>().id_token);
  }

  it("goes straight back with a code: no page, one redirect (prompt=none or nothing)", async () => {
    const { signOn, person, browser, first } = await signedIn();
    const answers = [
      await browser.open(authorizePath(person)),
      await browser.open(authorizePath(person, { prompt: "none" })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([302, 302]);
    const codes = [first, ...answers.map(locationOf)].map(({ searchParams }) => searchParams.get("code"));
    expect(new Set(codes).size).toBe(3);
    expect(parametersOf(locationOf(answers[0] as Answer))).toEqual({
      code: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      state: "st-4711",
      iss: signOn.issuer,
    });
    expect(answers[1]?.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    "st-4711",
    "",
    " leading and trailing ",
    "a+b%20c%2Bd&code=stolen#fragment",
    `"'><script>alert(1)</script>`,
    "a\r\nlocation: https://evil.example\r\n\r\n",
    "🙂 👩‍👩‍👧 \u202e \u2028 é e\u0301 \ufeff",
    "s".repeat(300),
  ])("returns the state %j unchanged, with a code and with an error (S7)", async (state) => {
    const { signOn, person, browser } = await signedIn();
    const code = await browser.open(authorizePath(person, { state }));
    const error = await browser.open(authorizePath(person, { state, scope: "nothing" }));
    expect(parametersOf(locationOf(code))).toEqual({ code: expect.anything(), state, iss: signOn.issuer });
    expect(parametersOf(locationOf(error))).toMatchObject({ error: "invalid_scope", state });
    expect([code, error].map(({ headers }) => headers.get("set-cookie"))).toEqual([null, null]);
  });

  it("returns the state unchanged after the pages, too", async () => {
    const { signOn, world } = scene();
    const state = `"'><b>\r\nx: y 🙂 ${"s".repeat(2_000)}`;
    const person = await withPerson(signOn, world, "statue@harbour.example");
    const left = await signIn(new Browser(signOn.url), authorizePath(person, { state }), { email: person.email });
    expect(left.searchParams.get("state")).toBe(state);
    expect(left.searchParams.get("code")).not.toBeNull();
  });

  it("carries nonce, scopes, sign-in time and instance through to the ID token", async () => {
    const { signOn, person, browser } = await signedIn();
    const nonce = 'n-"🙂\r\n';
    const scope = "openid email";
    const answer = await browser.open(authorizePath(person, { nonce, scope }));
    const claims = await idTokenOf(person, locationOf(answer));
    expect(claims).toMatchObject({ nonce, sub: person.personId, email: person.email, iss: signOn.issuer });
    expect(claims).not.toHaveProperty("name");
    expect(claims.auth_time).toBe(Math.floor(signOn.clock.now().getTime() / 1000));
  });

  it("asks for the password again with prompt=login, and tells the later sign-in (OIDC Core §3.1.2.1)", async () => {
    const { signOn, person, browser, first } = await signedIn();
    const before = await idTokenOf(person, first);
    signOn.clock.step(5_000);
    const step = await browser.follow(authorizePath(person, { prompt: "login" }));
    expect(step.path).toMatch(/^\/auth\/login/);
    const { left } = await browser.submit(step.answer, {
      email: person.email,
      password: "correct horse battery staple",
    });
    const after = await idTokenOf(person, left as URL);
    expect(Number(after.auth_time) - Number(before.auth_time)).toBe(5);
  });

  it("treats prompt=select_account as login (R-S14)", async () => {
    const { person, browser } = await signedIn();
    const { signOn } = scene();
    signOn.clock.step(1);
    expect((await browser.follow(authorizePath(person, { prompt: "select_account" }))).path).toMatch(/^\/auth\/login/);
  });

  it("asks for consent again with prompt=consent, and both with both", async () => {
    const { signOn, person, browser } = await signedIn();
    signOn.clock.step(1);
    expect((await browser.follow(authorizePath(person, { prompt: "consent" }))).path).toMatch(/^\/auth\/consent/);
    const both = await browser.follow(authorizePath(person, { prompt: "login consent" }));
    expect(both.path).toMatch(/^\/auth\/login/);
    const next = await browser.submit(both.answer, { email: person.email, password: "correct horse battery staple" });
    expect(next.path).toMatch(/^\/auth\/consent/);
    const { left } = await browser.submit(next.answer, { decision: "approve" });
    expect(left?.searchParams.get("code")).not.toBeNull();
  });

  it("honours max_age with the time of the sign-in (OIDC Core §3.1.2.1)", async () => {
    const { signOn, person, browser, first } = await signedIn();
    const before = await idTokenOf(person, first);
    signOn.clock.step(2_000);
    const young = await browser.open(authorizePath(person, { max_age: "2" }));
    const old = await browser.follow(authorizePath(person, { max_age: "1" }));
    const never = await browser.open(authorizePath(person, { max_age: "1", prompt: "none" }));
    expect((await idTokenOf(person, locationOf(young))).auth_time).toBe(before.auth_time);
    expect(old.path).toMatch(/^\/auth\/login/);
    expect(parametersOf(locationOf(never))).toMatchObject({ error: "login_required" });
    const { left } = await browser.submit(old.answer, {
      email: person.email,
      password: "correct horse battery staple",
    });
    expect(Number((await idTokenOf(person, left as URL)).auth_time)).toBe(Number(before.auth_time) + 2);
  });

  it("lets max_age=0 be satisfied by entering the password", async () => {
    const { signOn, person, browser } = await signedIn();
    signOn.clock.step(1);
    const step = await browser.follow(authorizePath(person, { max_age: "0" }));
    expect(step.path).toMatch(/^\/auth\/login/);
    const { left } = await browser.submit(step.answer, {
      email: person.email,
      password: "correct horse battery staple",
    });
    expect(left?.searchParams.get("code")).not.toBeNull();
  });

  it("answers prompt=none with consent_required where the person was not asked yet, and approves nothing (S15)", async () => {
    const { signOn, person, browser } = await signedIn();
    const other = await withApplication(signOn, person);
    const silent = () =>
      browser.open(authorizePath(other, { prompt: "none", consent: "approve", decision: "approve" }));
    expect(parametersOf(locationOf(await silent()))).toMatchObject({ error: "consent_required", state: "st-4711" });
    expect((await browser.follow(`${authorizePath(other)}&decision=approve&approved=true`)).path).toMatch(
      /^\/auth\/consent/,
    );
    expect(parametersOf(locationOf(await silent()))).toMatchObject({ error: "consent_required" });
  });

  it("does not take a consent for more scopes than were approved", async () => {
    const { signOn, person, browser } = await signedIn();
    const other = await withApplication(signOn, person);
    const step = await browser.follow(authorizePath(other, { scope: "openid" }));
    await browser.submit(step.answer, { decision: "approve" });
    expect(locationOf(await browser.open(authorizePath(other, { scope: "openid" }))).searchParams.has("code")).toBe(
      true,
    );
    expect((await browser.follow(authorizePath(other, { scope: "openid email" }))).path).toMatch(/^\/auth\/consent/);
  });

  it("does not ask at all where the application is trusted (consent never)", async () => {
    const { signOn, person, browser } = await signedIn();
    const trusted = await withApplication(signOn, person, { consent: ConsentPolicy.CONSENT_POLICY_NEVER });
    const answer = await browser.open(authorizePath(trusted, { prompt: "none" }));
    expect(locationOf(answer).searchParams.has("code")).toBe(true);
  });

  it("answers access_denied when the last seat on the instance is lost, with or without prompt=none (R-S7)", async () => {
    const { signOn, person, browser } = await signedIn();
    await signOn.platform.deleteUser({ requestId: "", userId: person.userId });
    const denied = await browser.open(authorizePath(person));
    const silent = await browser.open(authorizePath(person, { prompt: "none" }));
    expect([denied, silent].map((answer) => parametersOf(locationOf(answer)))).toEqual(
      Array(2).fill({
        error: "access_denied",
        error_description: expect.any(String),
        state: "st-4711",
        iss: signOn.issuer,
      }),
    );
  });

  it("answers access_denied to a disabled user and to a disabled person, in the same words (S19)", async () => {
    const one = await signedIn();
    const other = await signedIn();
    await one.signOn.platform.disableUser({ requestId: "", userId: one.person.userId });
    await other.signOn.disablePerson(other.person.personId);
    const answers = [
      await one.browser.open(authorizePath(one.person)),
      await other.browser.open(authorizePath(other.person)),
    ];
    const [first, second] = answers.map((answer) => parametersOf(locationOf(answer)));
    expect(first).toMatchObject({ error: "access_denied" });
    expect(second).toEqual(first);
  });

  it("answers access_denied on an instance where the person has no seat: the redirect URI names the instance (R-S7, R-S15)", async () => {
    const { signOn, person, browser } = await signedIn();
    const { instance } = await signOn.platform.createInstance({ requestId: "", name: "Americas" });
    const uri = "https://americas.example/cb";
    const redirectUris = [
      { uri, instanceId: instance?.id ?? "" },
      { uri: REDIRECT_URI, instanceId: person.instanceId },
    ];
    const both = await withApplication(signOn, person, { redirectUris, consent: ConsentPolicy.CONSENT_POLICY_NEVER });
    const there = await browser.open(authorizePath(both, { redirect_uri: uri }));
    const here = await browser.open(authorizePath(both));
    expect(parametersOf(locationOf(there))).toMatchObject({ error: "access_denied" });
    expect(locationOf(here).searchParams.has("code")).toBe(true);
  });

  it("does not know a session that was idle too long, or older than its limit", async () => {
    const { signOn, person, browser } = await signedIn();
    signOn.clock.step(480 * 60_000 - 1);
    expect(locationOf(await browser.open(authorizePath(person))).searchParams.has("code")).toBe(true);
    signOn.clock.step(480 * 60_000 - 1);
    expect(locationOf(await browser.open(authorizePath(person))).searchParams.has("code")).toBe(true);
    signOn.clock.step(480 * 60_000);
    expect(locationOf(await browser.open(authorizePath(person))).pathname).toBe("/auth/login");
    const again = await signedIn();
    for (let hour = 0; hour < 24; hour++) {
      signOn.clock.step(3_600_000 - 1);
      await again.browser.open(authorizePath(again.person));
    }
    expect(locationOf(await again.browser.open(authorizePath(again.person))).searchParams.has("code")).toBe(true);
    signOn.clock.step(24);
    expect(locationOf(await again.browser.open(authorizePath(again.person))).pathname).toBe("/auth/login");
  });

  it("does not know a session whose cookie came twice (S13)", async () => {
    const { signOn, person, browser } = await signedIn();
    const secret = browser.cookies.get("gatehouse_session");
    const cookie = `gatehouse_session=${secret}; gatehouse_session=${secret}`;
    const answer = await call(signOn.url, authorizePath(person), { headers: { cookie } });
    expect(locationOf(answer).pathname).toBe("/auth/login");
    const once = await call(signOn.url, authorizePath(person), { headers: { cookie: `gatehouse_session=${secret}` } });
    expect(locationOf(once).searchParams.has("code")).toBe(true);
  });
});

describeSignOn("GET /auth/authorize: the first sign-in (R-S19, S19)", (scene) => {
  it("makes an INVITED user ACTIVE, once, before consent", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "new@harbour.example");
    const status = async () => {
      const users = await signOn.workforceDb
        .selectFrom("workforce_users")
        .selectAll()
        .where("id", "=", person.userId as never)
        .execute();
      return users.map((user) => user.status);
    };
    expect(await status()).toEqual(["INVITED"]);
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(person));
    expect(await status()).toEqual(["INVITED"]);
    const consent = await browser.submit(login.answer, {
      email: person.email,
      password: "correct horse battery staple",
    });
    expect(consent.path).toMatch(/^\/auth\/consent/);
    expect(await status()).toEqual(["ACTIVE"]);
  });

  it("gives no code when the sign-in cannot be recorded, and says whose fault it is", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "unlucky@harbour.example");
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(person), { email: person.email });
    const codes = () => signOn.db.selectFrom("sign_on_authorization_codes").select("digest").execute();
    const before = await codes();
    const answer = await signOn.withoutTable("workforce_users", () => browser.open(authorizePath(person)));
    expect(answer.status).toBe(500);
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.text).toContain("Something went wrong on our side");
    expect(answer.text).not.toMatch(/workforce|table|SQL/i);
    expect(await codes()).toEqual(before);
    expect(locationOf(await browser.open(authorizePath(person))).searchParams.has("code")).toBe(true);
  });
});

describeSignOn("GET /auth/authorize: bytes that no browser sends", (scene) => {
  const request = (target: string) => `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`;

  it("refuses raw letters beyond ASCII, which could not come back as they were (S7)", async () => {
    const { signOn, world } = scene();
    const path = authorizePath(world, { state: undefined, prompt: "none" });
    const { answers } = await sendRaw(signOn.url, Buffer.from(request(`${path}&state=é`), "utf8"), { end: false });
    expect(answers.map(({ status }) => status)).toEqual([400]);
    expect(answers[0]?.headers.get("location") ?? null).toBeNull();
  });

  it("does not read a parameter whose name begins with a question mark as if it did not", async () => {
    const { signOn, world } = scene();
    const path = authorizePath(world).replace("?", "??");
    const { answers } = await sendRaw(signOn.url, request(path), { end: false });
    const first = path.split("?")[2]?.split("=")[0];
    expect(first).toBe("response_type");
    expect(locationOf(answers[0] as Answer).searchParams.get("error")).toBe("invalid_request");
  });
});

describeSignOn(
  "GET /auth/authorize behind an https issuer (S13, S36)",
  (scene) => {
    it("uses __Host- cookies, Secure, and tells the issuer of its configuration", async () => {
      const { signOn, world } = scene();
      const browser = new Browser(signOn.url);
      const answer = await browser.open(authorizePath(world));
      expect(answer.headers.getSetCookie()[0]).toMatch(
        /^__Host-gatehouse_interaction_\w{22}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=3600$/,
      );
      const left = await signIn(browser, authorizePath(world), { email: world.email });
      expect(left.searchParams.get("iss")).toBe("https://sign-on.example");
      expect([...browser.cookies.keys()].filter((name) => !name.includes("interaction"))).toEqual([
        "__Host-gatehouse_session",
      ]);
    });
  },
  { issuer: "https://sign-on.example" },
);
