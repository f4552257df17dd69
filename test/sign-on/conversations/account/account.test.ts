import { assets } from "#runtime/pages/assets.ts";
import { ConsentPolicy } from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { PasswordLinkPurpose } from "../../../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { auditEntries } from "../../../support/audited.ts";
import { authorizePath, Browser, redeem, tokenOf } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { PASSWORD } from "../../../support/world.ts";
import { FOREIGN_HEADERS, NO_FORMS } from "../../foreign-forms.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";
import { isSignedIn, signedInBrowser, tokensIn, userinfoStatus } from "../logout/logout-kit.ts";
import { atAccount, press, sidsOf } from "./account-kit.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const NEW = "seven lanterns over the quay";
const everywhere = { action: "sign_out_everywhere" };

describeSignOn("/auth/account", (scene) => {
  let people = 0;
  async function person() {
    const { signOn, world } = scene();
    return { signOn, person: await withPerson(signOn, world, `owner${++people}@harbour.example`) };
  }
  const auditOf = async (personId: string, action: string) => {
    const { store } = scene().signOn.opened;
    const entries = await auditEntries(store, ["actor", "facts"], { object: personId, action });
    return entries.map(({ actor, facts }) => ({ actor, ...(JSON.parse(facts) as object) }));
  };

  it("asks to sign in first, without any application", async () => {
    const { signOn } = await person();
    const { path, answer } = await new Browser(signOn.url).follow("/auth/account");
    expect(path).toBe("/auth/account/sign-in");
    expect(answer.text).toContain("to see your account");
  });

  it("shows who is signed in, where, which applications, and the last sign-ins, with strict headers (S11, R-X118)", async () => {
    const { signOn, person: maren } = await person();
    await signedInBrowser(signOn, maren);
    signOn.clock.step(1_000);
    const { browser, answer } = await atAccount(signOn, maren, FIREFOX);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(maren.email);
    expect(sidsOf(answer)).toHaveLength(2);
    expect(answer.text).toMatch(/Firefox on Linux<\/strong> <span class="mark">this browser/);
    expect(answer.text).toContain("<bdi>Marigold</bdi> (<bdi>Europe</bdi>) can:");
    expect(answer.text).toContain("see your e-mail address");
    expect(answer.text.match(/Signed in<\/strong>/g)).toHaveLength(2);
    expect(answer.headers.get("content-security-policy")).toMatch(/form-action 'self'; frame-ancestors 'none'/);
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.text).not.toContain(browser.cookies.get("gatehouse_session"));
    const scripts = [`<script src="${assets.script.href}" defer>`];
    expect(answer.text.match(/<script[^>]*>/g)).toEqual(scripts);
    expect(answer.headers.get("content-security-policy")).toContain(
      ` script-src ${signOn.issuer}${assets.script.href};`,
    );
  });

  it("shows no address of a network, which says nothing to a person about a place (R-X118)", async () => {
    const { signOn, person: maren } = await person();
    const { answer } = await atAccount(signOn, maren);
    expect(answer.text).toContain("Signed in</strong> to your account");
    expect(answer.text).not.toMatch(/127\.0\.0|::1/);
  });

  it("has its sections in order, password first, each with a link to it; its ways of signing out have names of their own", async () => {
    const { signOn, person: maren } = await person();
    await signedInBrowser(signOn, maren);
    const { answer } = await atAccount(signOn, maren);
    const ids = [...answer.text.matchAll(/<section class="room" id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["password", "sessions", "applications", "sign-ins"]);
    expect([...answer.text.matchAll(/<a href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(ids);
    const buttons = [...answer.text.matchAll(/<button type="submit"[^>]*>([^<]*)</g)].map(([, words]) => words);
    expect(buttons).toEqual(["Sign out here", "Sign out there", "Sign out everywhere", "Remove access"]);
  });

  it("shows failed sign-ins, of this person only", async () => {
    const { signOn, person: maren } = await person();
    const { browser } = await atAccount(signOn, maren);
    const other = new Browser(signOn.url);
    const login = await other.follow("/auth/account/sign-in");
    const wrong = await other.submit(login.answer, { email: maren.email, password: "not the password at all" });
    expect(wrong.answer.status).toBe(400);
    const page = await browser.open("/auth/account");
    expect(page.text.match(/class="failed"/g)).toHaveLength(1);
    const { person: tomas } = await person();
    expect((await atAccount(signOn, tomas)).answer.text).not.toContain('class="failed"');
  });

  it("ends another session with everything issued from it, and nothing else; leaves one audit entry", async () => {
    const { signOn, person: maren } = await person();
    const elsewhere = await signedInBrowser(signOn, maren);
    signOn.clock.step(1_000);
    const third = await signedInBrowser(signOn, maren);
    signOn.clock.step(1_000);
    const { browser, answer } = await atAccount(signOn, maren);
    const sid = sidsOf(answer)[2] ?? "";
    const done = await press(browser, { action: "end_session", session: sid });
    expect(done.path).toBe("/auth/account?done=session");
    expect(done.answer.text).toContain("You are signed out there.");
    await press(browser, { action: "end_session", session: sid });
    expect([await isSignedIn(elsewhere.browser, maren), await isSignedIn(third.browser, maren)]).toEqual([false, true]);
    expect([await userinfoStatus(signOn, elsewhere.tokens), await userinfoStatus(signOn, third.tokens)]).toEqual([
      401, 200,
    ]);
    expect(sidsOf(await browser.open("/auth/account"))).toHaveLength(2);
    const ended = { actor: maren.personId, because: "ended on the account page", application: null };
    expect(await auditOf(maren.personId, "session.end")).toEqual([ended]);
  });

  it("ends this session, and says so", async () => {
    const { signOn, person: maren } = await person();
    const { browser, answer } = await atAccount(signOn, maren);
    const done = await press(browser, { action: "end_session", session: sidsOf(answer)[0] ?? "" });
    expect(done.path).toBe("/auth/signed-out");
    expect(done.answer.text).toContain("<h1>You are signed out</h1>");
    expect(browser.cookies.has("gatehouse_session")).toBe(false);
    expect(await isSignedIn(browser, maren)).toBe(false);
  });

  it("never ends another person's session", async () => {
    const { signOn, person: maren } = await person();
    const { person: tomas } = await person();
    const theirs = await atAccount(signOn, tomas);
    const { browser } = await atAccount(signOn, maren);
    await press(browser, { action: "end_session", session: sidsOf(theirs.answer)[0] ?? "" });
    expect((await theirs.browser.open("/auth/account")).status).toBe(200);
  });

  it("signs out everywhere: every session, code and family, offline_access or not; one audit entry (R-S20)", async () => {
    const { signOn, person: maren } = await person();
    const elsewhere = await signedInBrowser(signOn, maren, { scope: "openid offline_access" });
    const next = await elsewhere.browser.follow(authorizePath(maren, { scope: "openid offline_access" }));
    const { browser } = await atAccount(signOn, maren);
    const done = await press(browser, everywhere);
    expect(done.path).toBe("/auth/signed-out");
    expect([await isSignedIn(elsewhere.browser, maren), await isSignedIn(browser, maren)]).toEqual([false, false]);
    expect(await userinfoStatus(signOn, elsewhere.tokens)).toBe(401);
    const redeemed = await redeem(signOn.url, maren, next.left?.searchParams.get("code") ?? "");
    expect(redeemed.json()).toMatchObject({ error: "invalid_grant" });
    expect(await auditOf(maren.personId, "person.signOutEverywhere")).toEqual([{ actor: maren.personId }]);
  });

  it("says of an application whose access has ended that it has none, and what was allowed (R-X399)", async () => {
    const { signOn, person: maren } = await person();
    await signedInBrowser(signOn, maren, { scope: "openid offline_access" });
    const { browser } = await atAccount(signOn, maren);
    await press(browser, everywhere);
    const { browser: back, answer } = await atAccount(signOn, maren);
    expect(answer.text).toContain(
      "<bdi>Marigold</bdi> (<bdi>Europe</bdi>) has no access at the moment. You allowed it to:",
    );
    expect(answer.text).toContain("stay connected while you are away");
    expect(answer.text).not.toContain("<bdi>Marigold</bdi> (<bdi>Europe</bdi>) can:");
    const done = await press(back, {
      action: "withdraw",
      application: maren.application.id,
      instance: maren.instanceId,
    });
    expect(done.answer.text).not.toContain("<bdi>Marigold</bdi> (");
    expect((await back.follow(authorizePath(maren, { scope: "openid" }))).path).toMatch(/^\/auth\/consent/);
  });

  it("leaves the open password link when it signs out everywhere, as an operator does (R-S20, R-X96)", async () => {
    const { signOn, person: maren } = await person();
    const key = { $case: "personId", value: maren.personId } as const;
    const { link } = await signOn.people.createPasswordLink({ key, purpose: PasswordLinkPurpose.RESET });
    const { browser } = await atAccount(signOn, maren);
    await press(browser, everywhere);
    await signOn.people.endSessions({ key });
    const { pathname, search } = new URL(link);
    expect((await browser.open(`${pathname}${search}`)).status).toBe(200);
  });

  it("says once, on the browser that did it, that every device was signed out (R-X352)", async () => {
    const { signOn, person: maren } = await person();
    const { browser } = await atAccount(signOn, maren);
    const { answer } = await press(browser, everywhere);
    expect(answer.text).toContain("<h1>You are signed out everywhere</h1>");
    expect(answer.text).toContain("You are no longer signed in on any device");
    const pages = [await browser.open("/auth/signed-out"), await new Browser(signOn.url).open("/auth/signed-out")];
    expect(pages.map(({ text }) => /<h1>([^<]*)/.exec(text)?.[1])).toEqual(Array(2).fill("You are signed out"));
  });

  describe("withdrawing an application's access (R-S18)", () => {
    const withdraw = ({ application, instanceId }: { application: { id: string }; instanceId: string }) => ({
      action: "withdraw",
      application: application.id,
      instance: instanceId,
    });

    it("forgets the consent and ends that application's tokens and codes, offline ones too, and no other's", async () => {
      const { signOn, person: maren } = await person();
      const { browser, tokens } = await signedInBrowser(signOn, maren, { scope: "openid offline_access" });
      const next = await browser.follow(authorizePath(maren, { scope: "openid" }));
      const other = await withApplication(signOn, maren, { name: "Other" });
      const others = await tokensIn(browser, signOn, other);
      expect((await browser.open("/auth/account")).text).toContain("<bdi>Marigold</bdi> (");
      const done = await press(browser, withdraw(maren));
      expect(done.answer.text).toContain("The access is removed.");
      expect(done.answer.text).not.toContain("<bdi>Marigold</bdi> (");
      expect([await userinfoStatus(signOn, tokens), await userinfoStatus(signOn, others)]).toEqual([401, 200]);
      const redeemed = await redeem(signOn.url, maren, next.left?.searchParams.get("code") ?? "");
      expect(redeemed.json()).toMatchObject({ error: "invalid_grant" });
      expect((await browser.follow(authorizePath(maren, { scope: "openid" }))).path).toMatch(/^\/auth\/consent/);
      await press(browser, withdraw(maren));
      expect(await auditOf(maren.personId, "consent.withdraw")).toEqual([
        { actor: maren.personId, application: maren.application.id, instance: maren.instanceId, families: 1 },
      ]);
    });

    it("also where consent was never asked for: the tokens count", async () => {
      const { signOn, person: maren } = await person();
      const silent = await withApplication(signOn, maren, {
        name: "Silent",
        consent: ConsentPolicy.NEVER,
      });
      const { browser, tokens } = await signedInBrowser(signOn, silent);
      expect((await browser.open("/auth/account")).text).toContain("<bdi>Silent</bdi> (");
      const done = await press(browser, withdraw(silent));
      expect(done.answer.text).not.toContain("<bdi>Silent</bdi> (");
      expect(await userinfoStatus(signOn, tokens)).toBe(401);
    });

    it("leaves no code of a sign-in that went on silently at the same moment", async () => {
      const { signOn, person: maren } = await person();
      const { browser } = await signedInBrowser(signOn, maren, { scope: "openid" });
      const page = await browser.open("/auth/account");
      const form = { form_token: tokenOf(page), ...withdraw(maren) };
      const silently = () => browser.follow(authorizePath(maren, { scope: "openid", prompt: "none" }));
      const before = Array.from({ length: 6 }, silently);
      const withdrawn = browser.follow("/auth/account", { form });
      const after = Array.from({ length: 6 }, silently);
      await withdrawn;
      const answers = (await Promise.all([...before, ...after])).map(({ left }) => left?.searchParams);
      const outcomes = answers.map((answer) => answer?.get("error") ?? "code");
      expect(new Set([...outcomes, "code"])).toEqual(new Set(["code", "consent_required"]));
      const codes = answers.flatMap((answer) => answer?.get("code") ?? []);
      const redeemed = await Promise.all(codes.map((code) => redeem(signOn.url, maren, code)));
      expect(redeemed.map(({ status }) => status)).toEqual(codes.map(() => 400));
    });

    it("takes nothing from another person", async () => {
      const { signOn, person: maren } = await person();
      const { person: tomas } = await person();
      const theirs = await signedInBrowser(signOn, tomas);
      const { browser } = await atAccount(signOn, maren);
      await press(browser, withdraw(tomas));
      expect(await userinfoStatus(signOn, theirs.tokens)).toBe(200);
    });

    it.each([
      ["no application", { action: "withdraw", instance: "instance_000000000000000000000" }],
      ["no instance", { action: "withdraw", application: "app_000000000000000000000" }],
      ["what is no id", { action: "withdraw", application: "x", instance: "y" }],
    ])("refuses a form that names %s", async (_, form) => {
      const { signOn, person: maren } = await person();
      const { browser } = await atAccount(signOn, maren);
      expect((await press(browser, form)).answer.status).toBe(400);
    });
  });

  it("writes a consent into the audit log when it is given (R-S18)", async () => {
    const { signOn, person: maren } = await person();
    const { browser } = await signedInBrowser(signOn, maren, { scope: "openid email" });
    await browser.follow(authorizePath(maren, { scope: "openid" }));
    expect(await auditOf(maren.personId, "consent.grant")).toEqual([
      {
        actor: maren.personId,
        application: maren.application.id,
        instance: maren.instanceId,
        scopes: "openid email",
      },
    ]);
  });

  it("notes its own use of the session, about once a minute (R-X118)", async () => {
    const { signOn, person: maren } = await person();
    const { browser } = await atAccount(signOn, maren);
    const seen = async () => {
      const rows = await signOn.db
        .selectFrom("sign_on_sessions")
        .select("seen_at")
        .where("person_id", "=", maren.personId)
        .execute();
      return rows.map(({ seen_at }) => Number(seen_at));
    };
    const [before = 0] = await seen();
    signOn.clock.step(59_000);
    await browser.open("/auth/account");
    expect(await seen()).toEqual([before]);
    signOn.clock.step(1_000);
    await browser.open("/auth/account");
    expect(await seen()).toEqual([before + 60_000]);
  });

  it.each(FOREIGN_HEADERS)("refuses a form %s, though its token is right (S10)", async (_, headers) => {
    const { signOn, person: maren } = await person();
    const { browser, answer } = await atAccount(signOn, maren);
    const form = { form_token: tokenOf(answer), ...everywhere };
    const refused = await browser.open("/auth/account", { form, headers });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("We did not accept this form");
    expect(refused.text).toContain("Somebody has signed in again in this browser since the page was shown.");
    expect(await isSignedIn(browser, maren)).toBe(true);
  });

  it("refuses an empty, changed or stolen token, and the one of another page (S10)", async () => {
    const { signOn, person: maren } = await person();
    const { browser, answer } = await atAccount(signOn, maren);
    const { person: attacker } = await person();
    const stolen = tokenOf((await atAccount(signOn, attacker)).answer);
    const ofPassword = tokenOf(await browser.open("/auth/account/password"));
    const ofSignOut = tokenOf(await browser.open("/auth/sign-out"));
    const own = tokenOf(answer);
    const tokens = ["", own.slice(1), `${own}A`, stolen, ofPassword, ofSignOut];
    const answers: Answer[] = [];
    for (const form_token of tokens)
      answers.push(await browser.open("/auth/account", { form: { form_token, ...everywhere } }));
    expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 400));
    expect(await isSignedIn(browser, maren)).toBe(true);
  });

  it.each([...NO_FORMS, ["another action", 400, { form: { form_token: "x", action: "delete" } }] as const])(
    "refuses %s with %d (S14)",
    async (_, status, init) => {
      const { signOn, person: maren } = await person();
      const { browser } = await atAccount(signOn, maren);
      expect((await browser.open("/auth/account", { method: "POST", ...init })).status).toBe(status);
      expect(await isSignedIn(browser, maren)).toBe(true);
    },
  );

  it("does nothing in a browser without a session, or with two session cookies (S13)", async () => {
    const { signOn, person: maren } = await person();
    const { browser, answer } = await atAccount(signOn, maren);
    const form = { form_token: tokenOf(answer), ...everywhere };
    const own = `gatehouse_session=${browser.cookies.get("gatehouse_session")}`;
    const answers = [
      await call(signOn.url, "/auth/account", { form }),
      await call(signOn.url, "/auth/account", { form, headers: { cookie: `${own}; ${own}` } }),
      await call(signOn.url, "/auth/account", { form, headers: { cookie: "gatehouse_session=planted" } }),
    ];
    expect(answers.map(({ headers }) => headers.get("location"))).toEqual(answers.map(() => "/auth/account/sign-in"));
    expect(await isSignedIn(browser, maren)).toBe(true);
  });

  it("says once what was done, and only in the browser that did it (R-X352)", async () => {
    const { signOn, person: maren } = await person();
    const { browser, answer } = await atAccount(signOn, maren);
    const said = "You are signed out there.";
    const planted = await browser.open("/auth/account?done=session");
    await signedInBrowser(signOn, maren);
    const sid = sidsOf(await browser.open("/auth/account"))[1] ?? "";
    const done = await press(browser, { action: "end_session", session: sid });
    const again = await browser.open(done.path);
    expect([answer, planted, done.answer, again].map(({ text }) => text.includes(said))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(browser.cookies.has("gatehouse_note")).toBe(false);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["sign out everywhere", everywhere, "/auth/account"],
    ["change the password", { old_password: PASSWORD, password: NEW, password_again: NEW }, "/auth/account/password"],
  ])("says that a form changed nothing when the session had ended: %s (R-X352)", async (_, values, path) => {
    const { signOn, person: maren } = await person();
    const elsewhere = await atAccount(signOn, maren);
    const { browser } = await atAccount(signOn, maren);
    const page = await browser.open(path);
    browser.cookies.delete("gatehouse_session");
    const said = "You were no longer signed in, so this form changed nothing.";
    const { answer } = await browser.follow(path, { form: { form_token: tokenOf(page), ...values } });
    const again = await browser.open("/auth/account/sign-in");
    expect([answer, again].map(({ text }) => text.includes(said))).toEqual([true, false]);
    expect(await isSignedIn(elsewhere.browser, maren)).toBe(true);
  });

  it("says what was done only in words of its own", async () => {
    const { signOn, person: maren } = await person();
    const { browser } = await atAccount(signOn, maren);
    const answers = await Promise.all(
      ["x", "<b>", "session&done=access"].map((done) => browser.open(`/auth/account?done=${done}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    const titles = answers.map(({ text }) => text.includes("<h1>We cannot read this request</h1>"));
    expect(titles).toEqual([true, true, true]);
  });
});
