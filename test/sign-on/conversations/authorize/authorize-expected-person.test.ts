import { ConsentPolicy } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, redeem, signIn } from "../../../support/browser.ts";
import { PASSWORD, type World } from "../../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";
import { claimsOf, locationOf, parametersOf } from "./authorize-kit.ts";

describeSignOn("GET /auth/authorize for a certain person (id_token_hint, claims.id_token.sub; R-X108)", (scene) => {
  let people = 0;
  async function person(): Promise<World & { idToken: string; browser: Browser }> {
    const { signOn, world } = scene();
    const one = await withPerson(signOn, world, `expected${++people}@harbour.example`);
    const browser = new Browser(signOn.url);
    const left = await signIn(browser, authorizePath(one), { email: one.email });
    const tokens = await redeem(signOn.url, one, left.searchParams.get("code") ?? "");
    signOn.clock.step(1_000);
    return { ...one, browser, idToken: tokens.json<{ id_token: string }>().id_token };
  }
  /** Both ways of naming the person. */
  const WAYS = [
    ["id_token_hint", ({ idToken }: { idToken: string }) => ({ id_token_hint: idToken })],
    [
      "claims",
      ({ personId }: { personId: string }) => ({ claims: JSON.stringify({ id_token: { sub: { value: personId } } }) }),
    ],
  ] as const;

  it.each(WAYS)("%s: goes straight on for the same person", async (_, naming) => {
    const one = await person();
    const silent = await one.browser.open(authorizePath(one, { ...naming(one), prompt: "none" }));
    const plain = await one.browser.open(authorizePath(one, naming(one)));
    expect([silent, plain].map((answer) => locationOf(answer).searchParams.has("code"))).toEqual([true, true]);
  });

  it.each(WAYS)("%s: prompt=none for another person is login_required", async (_, naming) => {
    const one = await person();
    const other = await person();
    const answer = await one.browser.open(authorizePath(one, { ...naming(other), prompt: "none" }));
    expect(parametersOf(locationOf(answer))).toMatchObject({ error: "login_required", state: "st-4711" });
  });

  it.each(WAYS)("%s: asks for the named person, who can then sign in", async (_, naming) => {
    const one = await person();
    const other = await person();
    const step = await one.browser.follow(authorizePath(one, naming(other)));
    expect(step.path).toMatch(/^\/auth\/login/);
    const { left } = await one.browser.submit(step.answer, { email: other.email, password: PASSWORD });
    const tokens = await redeem(scene().signOn.url, other, left?.searchParams.get("code") ?? "");
    expect(claimsOf(tokens.json<{ id_token: string }>().id_token).sub).toBe(other.personId);
  });

  it.each(WAYS)(
    "%s: when another person signs in, the application gets login_required and no code",
    async (_, naming) => {
      const one = await person();
      const other = await person();
      const step = await new Browser(scene().signOn.url).follow(authorizePath(one, naming(other)));
      const browser = new Browser(scene().signOn.url);
      const login = await browser.follow(authorizePath(one, naming(other)));
      expect(step.path).toMatch(/^\/auth\/login/);
      const { left } = await browser.submit(login.answer, { email: one.email, password: PASSWORD });
      expect(parametersOf(left as URL)).toMatchObject({ error: "login_required", state: "st-4711" });
      expect(left?.searchParams.has("code")).toBe(false);
    },
  );

  it("another person's sign-in in another tab leaves this one open", async () => {
    const one = await person();
    const other = await person();
    const step = await one.browser.follow(authorizePath(one, { id_token_hint: other.idToken }));
    scene().signOn.clock.step(1_000);
    await signIn(one.browser, authorizePath(one, { prompt: "login" }), { email: one.email });
    const again = await one.browser.follow(step.path);
    expect(again.answer.status).toBe(200);
    const { left } = await one.browser.submit(again.answer, { email: other.email, password: PASSWORD });
    expect(left?.searchParams.has("code")).toBe(true);
  });

  it("takes an expired hint, and one that another application got", async () => {
    const { signOn } = scene();
    const one = await person();
    const trusted = await withApplication(signOn, one, { consent: ConsentPolicy.NEVER });
    signOn.clock.step(2 * 3_600_000);
    const answer = await one.browser.open(authorizePath(trusted, { id_token_hint: one.idToken, prompt: "none" }));
    expect(locationOf(answer).searchParams.has("code")).toBe(true);
  });

  it.each([
    ["altered", (hint: string) => hint.replace(/.(?=..$)/, (letter) => (letter === "A" ? "B" : "A"))],
    ["unsigned", (hint: string) => `${hint.split(".").slice(0, 2).join(".")}.`],
    ["no token", () => "not.a.token"],
  ])("a hint that is %s says nothing: a page as without it, but no silent answer", async (_, spoil) => {
    const one = await person();
    const id_token_hint = spoil(one.idToken);
    const silent = await one.browser.open(authorizePath(one, { id_token_hint, prompt: "none" }));
    expect(parametersOf(locationOf(silent))).toMatchObject({ error: "login_required" });
    const plain = await one.browser.open(authorizePath(one, { id_token_hint }));
    expect(locationOf(plain).searchParams.has("code")).toBe(true);
  });

  it("is login_required at once where no person fits all wishes", async () => {
    const one = await person();
    const other = await person();
    const claims = JSON.stringify({ id_token: { sub: { value: other.personId } } });
    const contradiction = await one.browser.open(authorizePath(one, { id_token_hint: one.idToken, claims }));
    const nobody = JSON.stringify({ id_token: { sub: { value: "nobody" } } });
    const unknown = await one.browser.open(authorizePath(one, { claims: nobody }));
    const errors = [contradiction, unknown].map((answer) => locationOf(answer).searchParams.get("error"));
    expect(errors).toEqual(["login_required", "login_required"]);
  });
});

describeSignOn("GET /auth/authorize with single claims (OIDC Core §5.5, R-X109)", (scene) => {
  const CLAIMS = { userinfo: { name: { essential: true } }, id_token: { email: null } };
  let people = 0;
  async function tokensFor(world: World, parameters: Readonly<Record<string, string>>) {
    const { signOn } = scene();
    const one = await withPerson(signOn, world, `claims${++people}@harbour.example`);
    const browser = new Browser(signOn.url);
    const login = await browser.follow(authorizePath(one, { scope: "openid", ...parameters }));
    const consent = await browser.submit(login.answer, { email: one.email, password: PASSWORD });
    const { left } = await browser.submit(consent.answer, { decision: "approve" });
    const answer = await redeem(signOn.url, one, left?.searchParams.get("code") ?? "");
    const tokens = answer.json<{ access_token: string; id_token: string; refresh_token: string; scope: string }>();
    return { one, browser, consent: consent.answer.text, tokens };
  }
  const userinfo = async (accessToken: string) => {
    const authorization = `Bearer ${accessToken}`;
    const browser = new Browser(scene().signOn.url);
    return (await browser.open("/auth/userinfo", { headers: { authorization } })).json<Record<string, unknown>>();
  };

  it("gives just the claims that were asked for, where they were asked for; the scope stays what it was", async () => {
    const { one, tokens } = await tokensFor(scene().world, { claims: JSON.stringify(CLAIMS) });
    const idToken = claimsOf(tokens.id_token);
    const returned = await userinfo(tokens.access_token);
    expect(tokens.scope).toBe("openid");
    expect(idToken).toMatchObject({ email: one.email });
    expect(idToken).not.toHaveProperty("name");
    expect(returned).toMatchObject({ name: "Tomas Berg" });
    expect(returned).not.toHaveProperty("email");
    expect(returned).not.toHaveProperty("given_name");
  });

  it("asks the person about them as about their scopes, and remembers", async () => {
    const { one, browser, consent } = await tokensFor(scene().world, { claims: JSON.stringify(CLAIMS) });
    const plain = await tokensFor(scene().world, {});
    const items = (page: string) => page.match(/<li>/g)?.length;
    expect(items(consent)).toBe(Number(items(plain.consent)) + 2);
    const again = await browser.open(authorizePath(one, { scope: "openid", claims: JSON.stringify(CLAIMS) }));
    expect(locationOf(again).searchParams.has("code")).toBe(true);
  });

  it("gives the same claims after a refresh, and none of them after one that names a narrower scope", async () => {
    const { one, tokens } = await tokensFor(scene().world, { scope: "openid email", claims: JSON.stringify(CLAIMS) });
    const refresh = async (refresh_token: string, more: Readonly<Record<string, string>> = {}) => {
      const { id: client_id, secret: client_secret } = one.application;
      const form = { grant_type: "refresh_token", refresh_token, client_id, client_secret, ...more };
      const answer = await new Browser(scene().signOn.url).open("/auth/token", { form });
      return answer.json<{ access_token: string; refresh_token: string }>();
    };
    const whole = await refresh(tokens.refresh_token);
    expect(await userinfo(whole.access_token)).toMatchObject({ name: "Tomas Berg", email: one.email });
    const narrow = await refresh(whole.refresh_token, { scope: "openid" });
    const left = await userinfo(narrow.access_token);
    expect(left).toMatchObject({ sub: one.personId });
    expect(left).not.toHaveProperty("name");
    expect(left).not.toHaveProperty("email");
  });

  it("gives none whose scope the application is not registered for", async () => {
    const { signOn, world } = scene();
    const modest = await withApplication(signOn, world, { scopes: ["openid"] });
    const { tokens } = await tokensFor(modest, { claims: JSON.stringify(CLAIMS) });
    expect(claimsOf(tokens.id_token)).not.toHaveProperty("email");
    expect(await userinfo(tokens.access_token)).not.toHaveProperty("name");
  });
});
