import { ApplicationKind } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, newPkce, signIn } from "../../../support/browser.ts";
import { type Answer, call, sendRaw } from "../../../support/http.ts";
import { oauthError } from "../../../support/oauth-error.ts";
import { REDIRECT_URI } from "../../../support/world.ts";
import { describeSignOn, withApplication } from "../../sign-on-fixture.ts";
import { locationOf, parametersOf, pathOf } from "./authorize-kit.ts";

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
    ["hostile", "'; drop table sign_on_applications; --"],
    ["markup", "<script>evil()</script>"],
    ["very long", "a".repeat(5_000)],
  ])("an application that is %s", async (_, client_id) => {
    const { signOn, world } = scene();
    const answer = await call(signOn.url, authorizePath(world, { client_id, redirect_uri: EVIL }));
    expectPage(answer, "This application is not registered here");
  });

  it("an application in another case, or with white space around it", async () => {
    const { signOn, world } = scene();
    const { id } = world.application;
    for (const client_id of [id.toLowerCase(), id.toUpperCase(), ` ${id}`, `${id}\n`]) {
      expectPage(
        await call(signOn.url, authorizePath(world, { client_id })),
        "This application is not registered here",
      );
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
    expectPage(answer, "This application’s sign-in is not set up correctly");
  });

  it("a redirect URI that another application registered", async () => {
    const { signOn, world } = scene();
    const redirectUri = { uri: "https://other.example/back", instanceId: world.instanceId };
    await withApplication(signOn, world, { redirectUris: [redirectUri] });
    expectPage(
      await call(signOn.url, authorizePath(world, { redirect_uri: redirectUri.uri })),
      "sign-in is not set up correctly",
    );
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
      expectPage(await call(signOn.url, pathOf([...pairs, ...rest])), "This application is not registered here");
    for (const pairs of unregistered)
      expectPage(
        await call(signOn.url, pathOf([...pairs, ...rest])),
        "This application’s sign-in is not set up correctly",
      );
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
    expectPage(
      await call(signOn.url, authorizePath(world, { ...more, redirect_uri: EVIL })),
      "sign-in is not set up correctly",
    );
    expectPage(
      await call(signOn.url, authorizePath(world, { ...more, client_id: "evil" })),
      "This application is not registered here",
    );
  });

  it("for a person who is signed in, too", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(world), { email: world.email });
    expectPage(
      await browser.open(authorizePath(world, { redirect_uri: EVIL, prompt: "none" })),
      "sign-in is not set up correctly",
    );
  });

  it.each([
    ["malformed percent-encoding", "?%"],
    ["malformed percent-encoding in a value", "?client_id=%zz"],
    ["bytes that are no UTF-8", "?client_id=%ff%fe"],
    ["overlong UTF-8", "?state=%C0%80"],
    ["NUL", "?client_id=%00"],
    ["300 parameters", `?${"a&".repeat(300)}`],
  ])("a query with %s", async (_, query) => {
    const { signOn } = scene();
    expectPage(await call(signOn.url, `/auth/authorize${query}`), "We cannot read this request");
  });

  it.each(["?", ""])("the query %j", async (query) => {
    expectPage(await call(scene().signOn.url, `/auth/authorize${query}`), "This application is not registered here");
  });

  it("a proven request with something in it that cannot be read", async () => {
    const { signOn, world } = scene();
    const answer = await call(signOn.url, `${authorizePath(world)}&nonce=%E0%A4%A`);
    expectPage(answer, "We cannot read this request");
  });

  it("sends strict headers with the page (S9, S11, R-X2)", async () => {
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
    [{ registration: "{}" }, "registration_not_supported"],
    [{ claims: "name" }, "invalid_request"],
    [{ id_token_hint: "not.a.token", prompt: "none" }, "login_required"],
    [{ request_uri: "https://evil.example/" }, "request_uri_not_supported"],
    [{ prompt: "none" }, "login_required"],
  ])("%j: %s", async (given, error) => {
    const { signOn, world } = scene();
    const state = `st "<&>' 🙂 ${error}`;
    const answer = await call(signOn.url, authorizePath(world, { ...given, state }));
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(/^http:\/\/localhost:9\/callback\?error=/);
    expect(parametersOf(locationOf(answer))).toEqual({
      ...oauthError(answer, error),
      state,
      iss: signOn.issuer,
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.text).toBe("");
  });

  it("refuses a repeated parameter, and omits a state that was sent twice (S4)", async () => {
    const { signOn, world } = scene();
    const repeated = await call(signOn.url, `${authorizePath(world)}&scope=openid`);
    expect(parametersOf(locationOf(repeated))).toMatchObject({ error: "invalid_request", state: "st-4711" });
    const states = await call(signOn.url, `${authorizePath(world)}&state=other`);
    expect(parametersOf(locationOf(states))).toEqual({
      ...oauthError(states, "invalid_request", "The parameter state is repeated."),
      iss: signOn.issuer,
    });
  });

  it("refuses a scope that the application is not registered for", async () => {
    const { signOn, world } = scene();
    const modest = await withApplication(signOn, world, { scopes: ["openid"] });
    const answer = await call(signOn.url, authorizePath(modest, { scope: "openid email" }));
    expect(parametersOf(locationOf(answer))).toMatchObject({ error: "invalid_scope" });
  });

  it.each([
    ["a public one", { kind: ApplicationKind.BROWSER }],
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
