import { ConsentPolicy } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, redeem, signIn } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { errorUriOf } from "../../../support/oauth-error.ts";
import { PASSWORD, REDIRECT_URI } from "../../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";
import { claimsOf, locationOf, parametersOf } from "./authorize-kit.ts";

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
      code: expect.stringMatching(/^[A-Za-z0-9_-]{64}$/),
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

  it("asks for the password again with prompt=login, and returns the time of the later sign-in (OIDC Core §3.1.2.1)", async () => {
    const { signOn, person, browser, first } = await signedIn();
    const before = await idTokenOf(person, first);
    signOn.clock.step(5_000);
    const step = await browser.follow(authorizePath(person, { prompt: "login" }));
    expect(step.path).toMatch(/^\/auth\/login/);
    const { left } = await browser.submit(step.answer, {
      email: person.email,
      password: PASSWORD,
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
    const next = await browser.submit(both.answer, { email: person.email, password: PASSWORD });
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
      password: PASSWORD,
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
      password: PASSWORD,
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
    const trusted = await withApplication(signOn, person, { consent: ConsentPolicy.NEVER });
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
        error_uri: errorUriOf("access_denied"),
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
    const [first, second] = answers.map((answer) => {
      const { error_description: description = "", ...others } = parametersOf(locationOf(answer));
      return { ...others, words: description.replace(` (${answer.headers.get("x-request-id")})`, "") };
    });
    expect(first).toMatchObject({
      error: "access_denied",
      words: "The person has no access to this platform instance.",
    });
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
    const both = await withApplication(signOn, person, { redirectUris, consent: ConsentPolicy.NEVER });
    const there = await browser.open(authorizePath(both, { redirect_uri: uri }));
    const here = await browser.open(authorizePath(both));
    expect(parametersOf(locationOf(there))).toMatchObject({ error: "access_denied" });
    expect(locationOf(here).searchParams.has("code")).toBe(true);
  });

  it("ignores a session that was idle too long, or older than its limit", async () => {
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

  it("ignores a session whose cookie came twice (S13)", async () => {
    const { signOn, person, browser } = await signedIn();
    const secret = browser.cookies.get("gatehouse_session");
    const cookie = `gatehouse_session=${secret}; gatehouse_session=${secret}`;
    const answer = await call(signOn.url, authorizePath(person), { headers: { cookie } });
    expect(locationOf(answer).pathname).toBe("/auth/login");
    const once = await call(signOn.url, authorizePath(person), { headers: { cookie: `gatehouse_session=${secret}` } });
    expect(locationOf(once).searchParams.has("code")).toBe(true);
  });
});
