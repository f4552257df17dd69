import { auditEntries } from "../support/audited.ts";
import { authorizePath, Browser, exchange, obtainCode, redeem, signIn, tokenOf } from "../support/browser.ts";
import { call } from "../support/http.ts";
import { closingAfterAll } from "../support/scope.ts";
import { eachStore } from "../support/stores.ts";
import { makeWorld, PASSWORD, type World } from "../support/world.ts";
import { openSignOn, type SignOn, signOnSets, withPerson } from "./sign-on-fixture.ts";

interface Held {
  readonly person: World;
  readonly browser: Browser;
  readonly unspent: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

// Everything that a person has in hand is held against what workforce says of them at the moment it is used (R-X93).
eachStore((_, open) => {
  let signOn: SignOn;
  let world: World;
  const closeLater = closingAfterAll();
  let people = 0;

  beforeAll(async () => {
    signOn = await openSignOn(await open(signOnSets), closeLater);
    world = await makeWorld(signOn);
  });

  /** A session, a code, an access token and a refresh token of a new person. */
  async function everything(): Promise<Held> {
    const person = await withPerson(signOn, world, `held${++people}@harbour.example`);
    const browser = new Browser(signOn.url);
    const left = await signIn(browser, authorizePath(person), { email: person.email });
    const tokens = (await redeem(signOn.url, person, left.searchParams.get("code") ?? "")).json<{
      access_token: string;
      refresh_token: string;
    }>();
    const unspent = await obtainCode(signOn.url, person);
    return { person, browser, unspent, accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
  }
  const disable = ({ person }: Held) => signOn.platform.disablePerson({ requestId: "", personId: person.personId });
  const enable = ({ person }: Held) => signOn.platform.enablePerson({ requestId: "", personId: person.personId });
  const silently = async ({ browser, person }: Held) =>
    (await browser.follow(authorizePath(person, { prompt: "none" }))).left?.searchParams.get("error") ?? null;
  const refresh = async ({ person, refreshToken }: Held) =>
    (await exchange(signOn.url, person, { grant_type: "refresh_token", refresh_token: refreshToken })).json<{
      error?: string;
    }>().error;
  const spend = async ({ person, unspent }: Held) =>
    (await redeem(signOn.url, person, unspent)).json<{ error?: string }>().error;
  const userinfo = async ({ accessToken }: Held) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await call(signOn.url, "/auth/userinfo", { headers })).json<{ error?: string }>().error;
  };

  const countOf = async ({ person }: Held, action: string) =>
    (await auditEntries(signOn.opened.store, ["action"], { object: person.personId, action })).length;

  it("everything works before, so that the refusals below say something", async () => {
    const held = await everything();
    expect(await silently(held)).toBeNull();
    expect(await userinfo(held)).toBeUndefined();
    expect(await refresh(held)).toBeUndefined();
    expect(await spend(held)).toBeUndefined();
  });

  it("a disabled person's session, code, refresh token and access token are refused (R-S7, R-S20, RFC 9700 statement 25)", async () => {
    const held = await everything();
    await disable(held);
    expect(await silently(held)).toBe("access_denied");
    expect(await spend(held)).toBe("invalid_grant");
    expect(await refresh(held)).toBe("invalid_grant");
    expect(await userinfo(held)).toBe("invalid_token");
  });

  it("once refused, the browser shows the sign-in page, where somebody else can sign in", async () => {
    const held = await everything();
    const colleague = await withPerson(signOn, world, `held${++people}@harbour.example`);
    await disable(held);
    const first = await held.browser.follow(authorizePath(held.person));
    expect(first.left?.searchParams.get("error")).toBe("access_denied");
    expect(await countOf(held, "session.end")).toBe(1);
    const left = await signIn(held.browser, authorizePath(colleague), { email: colleague.email });
    expect(left.searchParams.get("code")).not.toBeNull();
    expect(await countOf(held, "session.end")).toBe(1);
  });

  it.each([
    ["session", async (held: Held) => expect(await silently(held)).toBe("login_required")],
    ["authorization code", async (held: Held) => expect(await spend(held)).toBe("invalid_grant")],
    ["refresh token", async (held: Held) => expect(await refresh(held)).toBe("invalid_grant")],
    ["access token", async (held: Held) => expect(await userinfo(held)).toBe("invalid_token")],
  ])("the %s from before is not good again when the person is enabled again (R-X93)", async (_title, expectRefused) => {
    const held = await everything();
    await disable(held);
    signOn.clock.step(1_000);
    await enable(held);
    await expectRefused(held);
    // Nor later, nor a second time.
    signOn.clock.step(60_000);
    await expectRefused(held);
  });

  it("requests that meet the session at once end it once, with one audit entry (R-X93)", async () => {
    const held = await everything();
    await disable(held);
    const path = authorizePath(held.person, { prompt: "none" });
    signOn.holdWorkforce("/RecordSignIn", async () => {
      await held.browser.open(path);
      expect(await countOf(held, "session.end")).toBe(1);
    });
    expect((await held.browser.open(path)).headers.get("location")).toContain("error=access_denied");
    expect(await countOf(held, "session.end")).toBe(1);
  });

  it("the person signs in again in the same browser without a redirect loop, and the new tokens are valid", async () => {
    const held = await everything();
    await disable(held);
    signOn.clock.step(1_000);
    await enable(held);
    const step = await held.browser.follow(authorizePath(held.person));
    expect(step.path).toMatch(/^\/auth\/login\?/);
    const left = await signIn(held.browser, authorizePath(held.person), { email: held.person.email });
    const answer = await redeem(signOn.url, held.person, left.searchParams.get("code") ?? "");
    const tokens = answer.json<{ access_token: string; refresh_token: string }>();
    const again = { ...held, accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
    expect(await silently(again)).toBeNull();
    expect(await userinfo(again)).toBeUndefined();
    expect(await refresh(again)).toBeUndefined();
  });

  it("a login page that was open all the while continues only with the password", async () => {
    const held = await everything();
    const consent = await held.browser.follow(authorizePath(held.person, { prompt: "consent" }));
    expect(consent.path).toMatch(/^\/auth\/consent\?/);
    await disable(held);
    signOn.clock.step(1_000);
    await enable(held);
    const { path } = await held.browser.submit(consent.answer, { decision: "approve" });
    expect(path).toMatch(/^\/auth\/login\?/);
  });

  it.each(["while disabled", "enabled again"])(
    "a session from before opens no page of the account and changes nothing there, %s (S19, R-X93)",
    async (state) => {
      const held = await everything();
      const { browser } = held;
      const tokenAt = async (path: string) => tokenOf(await browser.open(path));
      const [form_token, changeToken] = [await tokenAt("/auth/account"), await tokenAt("/auth/account/password")];
      await disable(held);
      signOn.clock.step(1_000);
      await (state === "enabled again" ? enable(held) : undefined);
      const password = "seven lanterns over the quay";
      const change = { old_password: PASSWORD, password, password_again: password };
      const paths = [
        (await browser.follow("/auth/account")).path,
        (await browser.follow("/auth/account/password")).path,
        (await browser.follow("/auth/account/password", { form: { form_token: changeToken, ...change } })).path,
        (await browser.follow("/auth/account", { form: { form_token, action: "sign_out_everywhere" } })).path,
      ];
      const signIn = "/auth/account/sign-in";
      expect(paths).toEqual([signIn, `${signIn}?next=password`, `${signIn}?next=password`, signIn]);
      expect(await countOf(held, "person.signOutEverywhere")).toBe(0);
      expect(await countOf(held, "password.set")).toBe(1);
    },
  );

  it("an old token of a person who is enabled again is refused by a sentence that holds for that too (R-X93)", async () => {
    const held = await everything();
    await disable(held);
    signOn.clock.step(1_000);
    await enable(held);
    const { person, refreshToken, unspent } = held;
    const answers = [
      await exchange(signOn.url, person, { grant_type: "refresh_token", refresh_token: refreshToken }),
      await redeem(signOn.url, person, unspent),
    ];
    const descriptions = answers.map((answer) => answer.json<{ error_description: string }>().error_description);
    for (const description of descriptions)
      expect(description).toContain("was disabled since signing in and must sign in again.");
  });

  it("a person who was never disabled, and one who is enabled without having been, keep everything", async () => {
    const held = await everything();
    await enable(held);
    expect(await silently(held)).toBeNull();
    expect(await userinfo(held)).toBeUndefined();
  });

  it("operators see no session of a disabled person, and none from before afterwards (R-X93)", async () => {
    const held = await everything();
    const key = { $case: "personId", value: held.person.personId } as const;
    const count = async () => (await signOn.people.listSessions({ key })).sessions.length;
    expect(await count()).toBe(2);
    await disable(held);
    expect(await count()).toBe(0);
    signOn.clock.step(1_000);
    await enable(held);
    expect(await count()).toBe(0);
    await signIn(held.browser, authorizePath(held.person), { email: held.person.email });
    expect(await count()).toBe(1);
  });
});
