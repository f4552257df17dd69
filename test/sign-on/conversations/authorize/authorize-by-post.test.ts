import { ConsentPolicy } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { auditEntries } from "../../../support/audited.ts";
import { authorizePath, Browser, redeem, signIn } from "../../../support/browser.ts";
import { fieldsOf } from "../../../support/form-post.ts";
import { call } from "../../../support/http.ts";
import { errorUriOf, oauthError } from "../../../support/oauth-error.ts";
import { PASSWORD, REDIRECT_URI, type World } from "../../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";
import { claimsOf, locationOf, parametersOf } from "./authorize-kit.ts";

const ADDRESS = "/auth/authorize";
const formOf = (world: World, parameters: Readonly<Record<string, string | undefined>> = {}) =>
  [...new URL(authorizePath(world, parameters), "http://any").searchParams] as (readonly [string, string])[];

describeSignOn("POST /auth/authorize (OIDC Core §3.1.2.1, R-S14)", (scene) => {
  const post = (pairs: readonly (readonly [string, string])[], path = ADDRESS) =>
    call(scene().signOn.url, path, { method: "POST", form: pairs });

  it("keeps the request and sends the browser on by GET, with 303 (RFC 9700 statement 7)", async () => {
    const { world } = scene();
    const answer = await post(formOf(world, { state: "visible", nonce: "visible" }));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toMatch(/^\/auth\/login\?interaction=[A-Za-z0-9]{22}$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^gatehouse_interaction_\w{22}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=300$/),
    ]);
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain("visible");
  });

  it("signs in, and carries everything through as a GET does", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "posting@harbour.example");
    const browser = new Browser(signOn.url);
    const init = { method: "POST", form: formOf(person, { state: "st 🙂", nonce: "n-0S6", scope: "openid email" }) };
    const login = await browser.follow(ADDRESS, init);
    const consent = await browser.submit(login.answer, { email: person.email, password: PASSWORD });
    const { left } = await browser.submit(consent.answer, { decision: "approve" });
    expect(left?.searchParams.get("state")).toBe("st 🙂");
    const tokens = await redeem(signOn.url, person, left?.searchParams.get("code") ?? "");
    expect(claimsOf(tokens.json<{ id_token: string }>().id_token)).toMatchObject({
      nonce: "n-0S6",
      sub: person.personId,
    });
  });

  it("finds the session although another site's form carries no cookie: the GET after it does", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "signed.in@harbour.example");
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(person), { email: person.email });
    const kept = await post(formOf(person, { state: "posted", prompt: "none" }));
    const [cookie = ""] = kept.headers.getSetCookie();
    const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
    browser.cookies.set(name, value);
    const { left } = await browser.follow(kept.headers.get("location") ?? "");
    expect(parametersOf(left as URL)).toEqual({ code: expect.anything(), state: "posted", iss: signOn.issuer });
    expect(browser.cookies.has(name)).toBe(false);
  });

  it("keeps its cookie for the hour, and drops the oldest ones, at the GET after it: the form carried none (R-X6)", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    let last = "";
    for (let begun = 0; begun < 40; begun++) {
      const kept = await post(formOf(world));
      const [name = "", value = ""] = (kept.headers.getSetCookie()[0]?.split(";")[0] ?? "").split("=");
      browser.cookies.set(name, value);
      last = kept.headers.get("location") ?? "";
    }
    const login = await browser.open(last);
    const own = `gatehouse_interaction_${new URL(last, signOn.url).searchParams.get("interaction")}`;
    expect([login.status, browser.cookies.size, browser.cookies.has(own)]).toEqual([200, 17, true]);
    expect(login.headers.getSetCookie()[0]).toMatch(new RegExp(`^${own}=[\\w-]{43}; .*Max-Age=3600$`));
    const person = await withPerson(signOn, world, "many.forms@harbour.example");
    const next = await browser.submit(login, { email: person.email, password: PASSWORD });
    expect(next.path).toMatch(/^\/auth\/consent/);
  });

  it("audits no more of prompt=none than a GET does: that a page is needed is no outcome, that a person is denied is one", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "silent@harbour.example");
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(person), { email: person.email });
    const wanting = { prompt: "none", scope: "openid email profile offline_access" };
    const refused = { actor: person.personId, action: "authorization.refuse" };
    const refusals = async () => (await auditEntries(signOn.opened.store, ["action"], refused)).length;
    const errorOf = (left: URL | undefined) => left?.searchParams.get("error");
    const byGet = await browser.follow(authorizePath(person, wanting));
    const afterGet = await refusals();
    const byPost = await browser.follow(ADDRESS, { method: "POST", form: formOf(person, wanting) });
    expect([errorOf(byGet.left), errorOf(byPost.left)]).toEqual(["consent_required", "consent_required"]);
    expect([afterGet, await refusals()]).toEqual([0, 0]);
    await signOn.platform.disablePerson({ requestId: "", personId: person.personId });
    const denied = await browser.follow(authorizePath(person, wanting));
    expect([errorOf(denied.left), await refusals()]).toEqual(["access_denied", 1]);
  });

  it("answers prompt=none with login_required without a session, and shows no page", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const { left } = await browser.follow(ADDRESS, { method: "POST", form: formOf(world, { prompt: "none" }) });
    expect(parametersOf(left as URL)).toMatchObject({ error: "login_required", state: "st-4711" });
  });

  it("asks for the password again with prompt=login, also after a sign-in in this browser", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(world), { email: world.email });
    signOn.clock.step(1_000);
    const step = await browser.follow(ADDRESS, { method: "POST", form: formOf(world, { prompt: "login" }) });
    expect(step.path).toMatch(/^\/auth\/login/);
    const { left } = await browser.submit(step.answer, { email: world.email, password: PASSWORD });
    expect(left?.searchParams.has("code")).toBe(true);
  });

  it.each([
    [{ scope: "nothing" }, "invalid_scope"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ request: "x" }, "request_not_supported"],
    [{ claims: "[" }, "invalid_request"],
  ])("sends %j to the redirect URI, with 303: %s", async (more, error) => {
    const { signOn, world } = scene();
    const answer = await post(formOf(world, more));
    expect(answer.status).toBe(303);
    expect(parametersOf(locationOf(answer))).toEqual({
      ...oauthError(answer, error),
      state: "st-4711",
      iss: signOn.issuer,
    });
  });

  it("refuses a repeated parameter (RFC 9700 statement 40)", async () => {
    const { world } = scene();
    const answer = await post([...formOf(world), ["nonce", "a"], ["nonce", "a"]]);
    expect(parametersOf(locationOf(answer))).toMatchObject({ error: "invalid_request", state: "st-4711" });
  });

  it.each(["state", "scope", "client_id", "redirect_uri", "prompt", "claims"])(
    "refuses %s in the address and does not use it (R-X106)",
    async (name) => {
      const { world } = scene();
      const answer = await post(formOf(world), `${ADDRESS}?${name}=evil`);
      expect(answer.status).toBe(303);
      expect(parametersOf(locationOf(answer))).toMatchObject({
        ...oauthError(answer, "invalid_request", `The parameter ${name} belongs in the body, not in the address.`),
        state: "st-4711",
      });
    },
  );

  it("ignores parameters in the address that have no meaning", async () => {
    const { world } = scene();
    expect((await post(formOf(world), `${ADDRESS}?utm_source=x`)).headers.get("location")).toMatch(/^\/auth\/login/);
  });

  it("proves nothing by the address: application and redirect URI count from the body alone (R-X106)", async () => {
    const { world } = scene();
    const query = new URL(authorizePath(world), "http://any").search;
    const empty = await post([], `${ADDRESS}${query}`);
    const half = await post([["client_id", world.application.id]], `${ADDRESS}${query}`);
    expect([empty.status, half.status]).toEqual([400, 400]);
    expect(empty.text).toContain("This application is not registered here");
    expect(half.text).toContain("This application’s sign-in is not set up correctly");
  });

  it.each([
    ["an unknown application", { client_id: "app_AAAAAAAAAAAAAAAAAAAAA" }, "This application is not registered here"],
    [
      "another site's redirect URI",
      { redirect_uri: "https://evil.example/" },
      "This application’s sign-in is not set up correctly",
    ],
  ])("shows a page for %s, never a redirect (S1)", async (_, more, title) => {
    const answer = await post(formOf(scene().world, more));
    expect(answer.status).toBe(400);
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.text).toContain(title);
    expect(answer.text).not.toContain("evil");
  });

  it.each([
    ["malformed percent-encoding", "client_id=%zz"],
    ["bytes that are no UTF-8", "state=%ff"],
    ["NUL", "state=%00"],
    ["300 parameters", "a&".repeat(300)],
  ])("shows a page for a body with %s", async (_, body) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await call(scene().signOn.url, ADDRESS, { method: "POST", body, headers });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("We cannot read this request");
  });

  it("takes forms only (S14)", async () => {
    const { signOn, world } = scene();
    const json = Object.fromEntries(formOf(world));
    expect((await call(signOn.url, ADDRESS, { json })).status).toBe(415);
    expect((await call(signOn.url, ADDRESS, { method: "POST" })).status).toBe(415);
  });

  it("refuses a body that is too large", async () => {
    const { world } = scene();
    expect((await post(formOf(world, { state: "x".repeat(70_000) }))).status).toBe(413);
  });
});

describeSignOn("response_mode=form_post (OAuth 2.0 Form Post Response Mode, R-X107)", (scene) => {
  const BY_FORM = { response_mode: "form_post" };
  const open = (more: Readonly<Record<string, string | undefined>>) =>
    call(scene().signOn.url, authorizePath(scene().world, { ...BY_FORM, ...more }));

  async function signedIn() {
    const { signOn, world } = scene();
    const trusted = await withApplication(signOn, world, { consent: ConsentPolicy.NEVER });
    const browser = new Browser(signOn.url);
    const first = await signIn(browser, authorizePath(trusted), { email: world.email });
    return { signOn, browser, trusted, first };
  }

  it("returns the code in a form, on a page that no cache stores", async () => {
    const { signOn, browser, trusted } = await signedIn();
    const answer = await browser.open(authorizePath(trusted, BY_FORM));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'sha256-[\w+/]{43}='; img-src 'self'; base-uri 'none'; form-action 'self' http:\/\/localhost:9; frame-ancestors 'none'$/,
    );
    const { action, fields } = fieldsOf(answer.text);
    expect(action).toBe(REDIRECT_URI);
    expect(fields).toEqual([
      ["code", expect.stringMatching(/^[\w-]{64}$/)],
      ["state", "st-4711"],
      ["iss", signOn.issuer],
    ]);
    const code = fields[0]?.[1] ?? "";
    expect((await redeem(signOn.url, trusted, code)).status).toBe(200);
  });

  it("after the login page and after the consent page, too, and lets the interaction's cookie go", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "by.form@harbour.example");
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(person, BY_FORM));
    const consent = await browser.submit(login.answer, { email: person.email, password: PASSWORD });
    const { answer } = await browser.submit(consent.answer, { decision: "approve" });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(fieldsOf(answer.text).fields)).toMatchObject({
      code: expect.any(String),
      state: "st-4711",
    });
    expect([...browser.cookies.keys()]).toEqual(["gatehouse_session"]);
    const denied = await browser.follow(authorizePath(person, { ...BY_FORM, prompt: "consent" }));
    const refusal = await browser.submit(denied.answer, { decision: "deny" });
    expect(Object.fromEntries(fieldsOf(refusal.answer.text).fields)).toMatchObject({ error: "access_denied" });
  });

  it("begins the session with the page that follows the login form", async () => {
    const { signOn, world } = scene();
    const trusted = await withApplication(signOn, world, { consent: ConsentPolicy.NEVER });
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(trusted, BY_FORM));
    const { answer } = await browser.submit(login.answer, { email: world.email, password: PASSWORD });
    expect(Object.fromEntries(fieldsOf(answer.text).fields)).toHaveProperty("code");
    expect([...browser.cookies.keys()]).toEqual(["gatehouse_session"]);
  });

  it.each([
    [{ prompt: "none" }, "login_required"],
    [{ scope: "nothing" }, "invalid_scope"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_type: undefined }, "invalid_request"],
    [{ request: "x" }, "request_not_supported"],
  ])("brings the error of %j back in a form: %s", async (more, error) => {
    const answer = await open(more);
    expect(answer.status).toBe(200);
    expect(fieldsOf(answer.text)).toEqual({
      action: REDIRECT_URI,
      fields: [
        ["error", error],
        ["error_description", expect.any(String)],
        ["error_uri", errorUriOf(error)],
        ["state", "st-4711"],
        ["iss", scene().signOn.issuer],
      ],
    });
  });

  it("uses the query when the form is not possible: a mode that is repeated or not offered", async () => {
    const { world } = scene();
    const repeated = await call(scene().signOn.url, `${authorizePath(world, BY_FORM)}&response_mode=form_post`);
    expect(repeated.status).toBe(302);
    expect(parametersOf(locationOf(repeated))).toMatchObject({ error: "invalid_request", state: "st-4711" });
    expect(parametersOf(locationOf(await open({ response_mode: "jwt" })))).toMatchObject({ error: "invalid_request" });
  });

  it("refuses a state with a line break, which a browser would change, and does not repeat it", async () => {
    const answer = await open({ state: "a\nb" });
    expect(fieldsOf(answer.text).fields.map(([name]) => name)).toEqual([
      "error",
      "error_description",
      "error_uri",
      "iss",
    ]);
    expect(answer.text).not.toContain("a\nb");
  });

  it("never posts to what is not registered (S1)", async () => {
    const answer = await open({ redirect_uri: "https://evil.example/" });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toMatch(/evil|<form/);
  });
});
