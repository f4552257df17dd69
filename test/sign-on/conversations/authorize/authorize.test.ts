import { authorizePath, Browser, signIn } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import { oauthError } from "../../../support/oauth-error.ts";
import { PASSWORD } from "../../../support/world.ts";
import { describeSignOn, withPerson } from "../../sign-on-fixture.ts";
import { locationOf, parametersOf, pathOf } from "./authorize-kit.ts";

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
    { id_token_hint: "not.a.token" },
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
    expect(answer.text).not.toMatch(/<script(?! src="\/assets\/gatehouse-)/);
  });

  it("fills in no hint that is longer than an address (R-X381)", async () => {
    const { signOn, world } = scene();
    const longest = `${"m".repeat(64)}@${"d".repeat(61)}.${"d".repeat(63)}.${"d".repeat(63)}`;
    expect(longest).toHaveLength(254);
    const shown = [];
    for (const login_hint of [longest, `${longest}d`, "h".repeat(2_048)]) {
      const { answer } = await new Browser(signOn.url).follow(authorizePath(world, { login_hint }));
      shown.push(/name="email"[^>]* value="([^"]*)"/.exec(answer.text)?.[1]);
    }
    expect(shown).toEqual([longest, "", ""]);
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
      password: PASSWORD,
    });
    expect(consent.path).toMatch(/^\/auth\/consent/);
    expect(await status()).toEqual(["ACTIVE"]);
  });

  it("gives no code when the sign-in cannot be recorded, and says whose fault it is", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "unlucky@harbour.example");
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(person), { email: person.email });
    const codes = () => signOn.db.selectFrom("sign_on_families").select("number").execute();
    const before = await codes();
    const answer = await signOn.withoutTable("workforce_users", () => browser.open(authorizePath(person)));
    expect(answer.status).toBe(302);
    expect(parametersOf(locationOf(answer))).toEqual({
      ...oauthError(answer, "server_error", "Something went wrong on our side."),
      state: "st-4711",
      iss: signOn.issuer,
    });
    expect(await codes()).toEqual(before);
    expect(locationOf(await browser.open(authorizePath(person))).searchParams.has("code")).toBe(true);
  });
});

describeSignOn(
  "GET /auth/authorize behind an https issuer (S13, S36)",
  (scene) => {
    it("uses __Host- cookies, Secure, and returns the configured issuer", async () => {
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
