import { assets } from "#runtime/pages/assets.ts";
import { ApplicationKind, ConsentPolicy } from "../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, newPkce, obtainCode, redeem, signIn, tokenOf } from "../support/browser.ts";
import { type Answer, call } from "../support/http.ts";
import { PASSWORD, REDIRECT_URI, type World } from "../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "./sign-on-fixture.ts";

// The statements about the authorization endpoint. Others stand with what they are about; `grep "RFC 9700 statement"` finds all.
const EVIL = "https://evil.example/steal";
const locationOf = (answer: Answer) => new URL(answer.headers.get("location") ?? "none:", "http://relative.invalid");
const errorOf = (answer: Answer) => locationOf(answer).searchParams.get("error");
const isPage = (answer: Answer) => answer.status === 400 && answer.headers.get("location") === null;

describeSignOn("RFC 9700 at the authorization endpoint", (scene) => {
  const open = (world: World, more: Readonly<Record<string, string | undefined>> = {}) =>
    call(scene().signOn.url, authorizePath(world, more));
  const usual = (more: Readonly<Record<string, string | undefined>> = {}) => open(scene().world, more);

  it("a redirect URI that differs in any character is a page, no redirect (RFC 9700 statement 1, §2.1, §4.1.3)", async () => {
    const others = [
      "HTTP://localhost:9/callback",
      `${REDIRECT_URI}/`,
      `${REDIRECT_URI}?`,
      "http://localhost:99/callback",
    ];
    const answers = await Promise.all(others.map((redirect_uri) => usual({ redirect_uri })));
    expect(answers.map(isPage)).toEqual(others.map(() => true));
  });

  it("the port alone is free, only for a native application's loopback address (RFC 9700 statement 2, §2.1, §4.1.3)", async () => {
    const { signOn, world } = scene();
    const redirectUris = [{ uri: "http://127.0.0.1/cb", instanceId: world.instanceId }];
    const native = await withApplication(signOn, world, {
      kind: ApplicationKind.NATIVE,
      redirectUris,
    });
    const pkce = { code_challenge: newPkce().challenge, code_challenge_method: "S256" };
    const answers = await Promise.all([
      open(native, { ...pkce, redirect_uri: "http://127.0.0.1:51004/cb" }),
      open(native, { ...pkce, redirect_uri: "http://127.0.0.1:51004/other" }),
      open(native, { ...pkce, redirect_uri: "http://localhost:51004/cb" }),
      usual({ redirect_uri: "http://localhost:10/callback" }),
    ]);
    expect(answers.map(isPage)).toEqual([false, true, true, true]);
  });

  it.each([
    ["http outside loopback", "http://app.example/cb"],
    ["a fragment", "https://app.example/cb#a"],
  ])("registering a redirect URI with %s is refused (RFC 9700 statement 3, §2.6)", async (_, uri) => {
    const { signOn, world } = scene();
    const redirectUris = [{ uri, instanceId: world.instanceId }];
    await expect(withApplication(signOn, world, { redirectUris })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("redirect_uri at the token endpoint must be that of the request (RFC 9700 statement 4, RFC 6749 §4.1.3)", async () => {
    const { signOn, world } = scene();
    const other = "http://localhost:9/other";
    const uris = [REDIRECT_URI, other].map((uri) => ({ uri, instanceId: world.instanceId }));
    const both = await withApplication(signOn, world, { redirectUris: uris });
    const answer = await redeem(signOn.url, both, await obtainCode(signOn.url, both), { redirect_uri: other });
    expect([answer.status, answer.json<{ error: string }>().error]).toEqual([400, "invalid_grant"]);
  });

  it("no endpoint forwards to an address from an unchecked parameter (RFC 9700 statement 5, §4.11)", async () => {
    const { signOn, world } = scene();
    const names = ["redirect_uri", "redirect_url", "return_to", "next", "url", "continue", "post_logout_redirect_uri"];
    const query = new URLSearchParams(names.map((name): [string, string] => [name, EVIL]));
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(world));
    const answers = [
      await call(signOn.url, `/auth/authorize?${query}`),
      await call(signOn.url, "/auth/authorize", { form: [...query] }),
      await browser.open(`${login.path}&${query}`),
      await browser.open(`/auth/consent?interaction=unknown&${query}`),
      await browser.open(`${login.path}&${query}`, {
        form: { form_token: "x", email: "x", password: "x", next: EVIL },
      }),
    ];
    expect(answers.filter(({ headers, text }) => `${headers.get("location")}${text}`.includes("evil"))).toEqual([]);
  });

  it("an unproven application or redirect URI never redirects, whatever else is asked (RFC 9700 statement 6, §4.11.2)", async () => {
    const wishes = [{ prompt: "none" }, { response_type: "token" }, { scope: "x" }, { response_mode: "form_post" }];
    const answers = await Promise.all(
      wishes.flatMap((more) => [usual({ ...more, redirect_uri: EVIL }), usual({ ...more, client_id: "app_x" })]),
    );
    expect(answers.filter((answer) => !isPage(answer) || answer.text.includes("<form"))).toEqual([]);
  });

  it("redirects after a form use 303 (RFC 9700 statement 7, §4.12)", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "three.hundred.three@harbour.example");
    const browser = new Browser(signOn.url);
    const form = [...new URL(authorizePath(person), "http://any").searchParams] as [string, string][];
    const posted = await browser.open("/auth/authorize", { form });
    const login = await browser.follow(posted.headers.get("location") ?? "");
    const send = (page: Answer, path: string, values: Record<string, string>) => {
      const form_token = tokenOf(page);
      return browser.open(path, { form: { form_token, ...values } });
    };
    const signedIn = await send(login.answer, login.path, { email: person.email, password: PASSWORD });
    const consentPath = signedIn.headers.get("location") ?? "";
    const approved = await send(await browser.open(consentPath), consentPath, { decision: "approve" });
    expect([posted, signedIn, approved].map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(locationOf(approved).searchParams.has("code")).toBe(true);
  });

  it("S256 is offered; plain and unknown methods are invalid_request (RFC 9700 statement 8, §2.1.1)", async () => {
    const code_challenge = newPkce().challenge;
    const methods = ["S256", "plain", "S512", undefined];
    const answers = await Promise.all(
      methods.map((code_challenge_method) => usual({ code_challenge, code_challenge_method })),
    );
    expect(answers.map(errorOf)).toEqual([null, "invalid_request", "invalid_request", "invalid_request"]);
    const metadata = await call(scene().signOn.url, "/.well-known/openid-configuration");
    expect(metadata.json()).toMatchObject({ code_challenge_methods_supported: ["S256"] });
  });

  it.each([
    ["a public application", { kind: ApplicationKind.BROWSER }],
    ["one marked so", { pkceRequired: true }],
  ])("%s without code_challenge gets invalid_request (RFC 9700 statement 9, §2.1.1)", async (_, more) => {
    const { signOn, world } = scene();
    expect(errorOf(await open(await withApplication(signOn, world, more)))).toBe("invalid_request");
  });

  it("a challenge makes its verifier mandatory, a verifier without one is refused (RFC 9700 statement 10, RFC 9700 statement 11, §2.1.1, §4.8.2)", async () => {
    const { signOn, world } = scene();
    const { challenge, verifier } = newPkce();
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const challenged = await obtainCode(signOn.url, world, pkce);
    const without = await redeem(signOn.url, world, challenged);
    const wrong = await redeem(signOn.url, world, challenged, { code_verifier: newPkce().verifier });
    const downgraded = await redeem(signOn.url, world, await obtainCode(signOn.url, world), {
      code_verifier: verifier,
    });
    const right = await redeem(signOn.url, world, challenged, { code_verifier: verifier });
    expect([without, wrong, downgraded, right].map(({ status }) => status)).toEqual([400, 400, 400, 200]);
  });

  it("a code is bound to its application, whose use of it another's attempt does not disturb (RFC 9700 statement 15, §4.5)", async () => {
    const { signOn, world } = scene();
    const other = await withApplication(signOn, world);
    const code = await obtainCode(signOn.url, world);
    const stolen = await redeem(signOn.url, other, code);
    expect([stolen.status, stolen.json<{ error: string }>().error]).toEqual([400, "invalid_grant"]);
    expect((await redeem(signOn.url, world, code)).status).toBe(200);
  });

  it("a code is stored as a digest and dies after ten minutes (RFC 9700 statement 16, §4.2)", async () => {
    const { signOn, world } = scene();
    const [late, timely] = [await obtainCode(signOn.url, world), await obtainCode(signOn.url, world)];
    const stored = JSON.stringify(await signOn.db.selectFrom("sign_on_families").selectAll().execute());
    expect([stored.includes(late), stored.includes(timely)]).toEqual([false, false]);
    signOn.clock.step(600_000 - 1);
    const first = await redeem(signOn.url, world, timely);
    signOn.clock.step(1);
    expect([first.status, (await redeem(signOn.url, world, late)).status]).toEqual([200, 400]);
  });

  it.each(["token", "id_token", "code token", "code id_token", "code id_token token", "none"])(
    "response_type=%s is unsupported_response_type (RFC 9700 statement 17, §2.1.2)",
    async (response_type) => {
      expect(errorOf(await usual({ response_type }))).toBe("unsupported_response_type");
    },
  );

  it("every response carries iss, the same string as in metadata and ID token (RFC 9700 statement 19, RFC 9700 statement 20, S8, RFC 9207)", async () => {
    const { signOn, world } = scene();
    const left = await signIn(new Browser(signOn.url), authorizePath(world), { email: world.email });
    const tokens = (await redeem(signOn.url, world, left.searchParams.get("code") ?? "")).json<{ id_token: string }>();
    const claims = JSON.parse(Buffer.from(tokens.id_token.split(".")[1] ?? "", "base64url").toString()) as {
      iss: string;
    };
    const metadata = (await call(signOn.url, "/.well-known/openid-configuration")).json<Record<string, unknown>>();
    const error = locationOf(await usual({ scope: "x" })).searchParams.get("iss");
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
    expect([left.searchParams.get("iss"), error, claims.iss]).toEqual(Array(3).fill(metadata.issuer));
  });

  it("pages cannot be framed and run only one named script (RFC 9700 statement 31, §4.16)", async () => {
    const { signOn, world } = scene();
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(world, { prompt: "consent" }));
    const consent = await browser.submit(login.answer, { email: world.email, password: PASSWORD });
    const byForm = await usual({ response_mode: "form_post", prompt: "none" });
    const pages = [login.answer, consent.answer, byForm, await usual({ client_id: "app_x" })];
    const policies = pages.map(({ headers }) => headers.get("content-security-policy") ?? "");
    expect(pages.map(({ headers }) => headers.get("x-frame-options"))).toEqual(pages.map(() => "DENY"));
    expect(policies.filter((policy) => !/^default-src 'none';.* frame-ancestors 'none'$/.test(policy))).toEqual([]);
    expect(policies.map((policy) => /script-src [^;]*/.exec(policy)?.[0])).toEqual([
      `script-src ${signOn.issuer}${assets.script.href}`,
      `script-src ${signOn.issuer}${assets.script.href}`,
      expect.stringMatching(/^script-src 'sha256-[\w+/]{43}='$/),
      undefined,
    ]);
  });

  it("pages send no other site their address, load nothing from elsewhere, and codes are in no log (RFC 9700 statement 32, §4.2.4, §4.3)", async () => {
    const { signOn, world } = scene();
    const { answer } = await new Browser(signOn.url).follow(authorizePath(world));
    // same-origin sends as little to other sites as no-referrer (R-X2).
    expect(answer.headers.get("referrer-policy")).toBe("same-origin");
    expect(
      [...answer.text.matchAll(/(?:src|href|action)="([^"]*)"/g)].filter(([, url]) => !url?.startsWith("/")),
    ).toEqual([]);
    const code = await obtainCode(signOn.url, world);
    expect(JSON.stringify(signOn.log.lines)).not.toContain(code);
  });

  it("no other origin's script may read the authorization endpoint (RFC 9700 statement 34, §2.6)", async () => {
    const { signOn, world } = scene();
    const headers = { origin: "https://app.example", "access-control-request-method": "POST" };
    const answers = [
      await call(signOn.url, authorizePath(world), { headers }),
      await call(signOn.url, "/auth/authorize", { headers, form: { client_id: "x" } }),
      await call(signOn.url, "/auth/authorize", { headers, method: "OPTIONS", unrouted: true }),
    ];
    const cors = answers.flatMap((answer) =>
      [...answer.headers.keys()].filter((name) => name.startsWith("access-control")),
    );
    expect(cors).toEqual([]);
  });

  it("forwarded headers never change the issuer (RFC 9700 statement 36, §4.13)", async () => {
    const { signOn, world } = scene();
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
    const answer = await call(signOn.url, authorizePath(world, { prompt: "none" }), { headers });
    expect(locationOf(answer).searchParams.get("iss")).toBe(signOn.issuer);
    expect(answer.headers.get("location")).not.toContain("evil");
  });

  it("a parameter that is sent twice is invalid_request (RFC 9700 statement 40, RFC 6749 §3.1)", async () => {
    const { signOn, world } = scene();
    const twice = await call(signOn.url, `${authorizePath(world)}&scope=openid`);
    const form = [...new URL(authorizePath(world), "http://any").searchParams, ["scope", "openid"]] as [
      string,
      string,
    ][];
    const posted = await call(signOn.url, "/auth/authorize", { method: "POST", form });
    expect([errorOf(twice), errorOf(posted)]).toEqual(["invalid_request", "invalid_request"]);
  });

  it("reaches a code for all that: the way is open", async () => {
    const { signOn, world } = scene();
    const trusted = await withApplication(signOn, world, { consent: ConsentPolicy.NEVER });
    expect(await obtainCode(signOn.url, trusted)).toMatch(/^[\w-]{64}$/);
  });
});
