import { auditEntries } from "../../../support/audited.ts";
import { authorizePath, Browser, obtainCode, redeem, signIn } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import { PASSWORD, type World } from "../../../support/world.ts";
import { NO_FORMS } from "../../foreign-forms.ts";
import { describeSignOn, type SignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";
import { isSignedIn, logoutPath, POST_LOGOUT_URI, signedInBrowser, tokensIn, userinfoStatus } from "./logout-kit.ts";

const DAY_MS = 86_400_000;

describeSignOn(
  "/auth/logout",
  (scene) => {
    let people = 0;
    /** A person of one's own, signed in. */
    async function begin(parameters?: Readonly<Record<string, string | undefined>>) {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, `leaver${++people}@harbour.example`);
      return { signOn, person, ...(await signedInBrowser(signOn, person, parameters)) };
    }
    /** The person's refresh token, used now. */
    const refreshed = ({ application: { id, secret } }: World, refresh_token: string) =>
      call(scene().signOn.url, "/auth/token", {
        form: { grant_type: "refresh_token", refresh_token, client_id: id, client_secret: secret },
      });
    /** Two days later, when the sweep has removed the sessions of then. */
    async function removeExpiredSessions({ clock, db }: SignOn): Promise<void> {
      clock.step(2 * DAY_MS);
      await db.deleteFrom("sign_on_sessions").where("expires_at", "<", clock.now().getTime()).execute();
    }
    const auditOf = (personId: string) =>
      auditEntries(scene().signOn.opened.store, ["actor", "action", "facts"], {
        object: personId,
        action: "session.end",
      });

    describe("the session that ends (R-S20)", () => {
      it("takes what came from it along: tokens and unspent codes fail at once (RFC 9700 statement 25)", async () => {
        const { signOn, person, browser, tokens } = await begin();
        const code = (await browser.follow(authorizePath(person))).left?.searchParams.get("code") ?? "";
        expect(await userinfoStatus(signOn, tokens)).toBe(200);
        await browser.follow(logoutPath({ id_token_hint: tokens.id_token }));
        expect(await userinfoStatus(signOn, tokens)).toBe(401);
        const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
        const { id: client_id, secret: client_secret } = person.application;
        const refreshed = await call(signOn.url, "/auth/token", { form: { ...refresh, client_id, client_secret } });
        expect(refreshed.json()).toMatchObject({ error: "invalid_grant" });
        expect((await redeem(signOn.url, person, code)).json()).toMatchObject({ error: "invalid_grant" });
      });

      it("leaves what has offline_access alive, unspent codes included (R-S8)", async () => {
        const { signOn, person, browser, tokens } = await begin({ scope: "openid offline_access" });
        const next = await browser.follow(authorizePath(person, { scope: "openid offline_access" }));
        await browser.follow(logoutPath({ id_token_hint: tokens.id_token }));
        expect(await isSignedIn(browser, person)).toBe(false);
        expect(await userinfoStatus(signOn, tokens)).toBe(200);
        expect((await redeem(signOn.url, person, next.left?.searchParams.get("code") ?? "")).status).toBe(200);
      });

      it("is that of this browser only; the person's other sessions and their tokens go on", async () => {
        const { signOn, person, browser, tokens } = await begin();
        const elsewhere = await signedInBrowser(signOn, person);
        await browser.follow(logoutPath({ id_token_hint: tokens.id_token }));
        expect(await isSignedIn(elsewhere.browser, person)).toBe(true);
        expect(await userinfoStatus(signOn, elsewhere.tokens)).toBe(200);
      });

      it("takes the tokens of every application along that was signed in to with it", async () => {
        const { signOn, person, browser, tokens } = await begin();
        const other = await withApplication(signOn, person);
        const others = await tokensIn(browser, signOn, other);
        await browser.follow(logoutPath({ id_token_hint: tokens.id_token }));
        expect([await userinfoStatus(signOn, tokens), await userinfoStatus(signOn, others)]).toEqual([401, 401]);
      });

      it("takes along what came from the sessions that it replaced when the password was entered again", async () => {
        const { signOn, person, browser, tokens } = await begin();
        signOn.clock.step(1_000);
        const again = await browser.follow(authorizePath(person, { prompt: "login" }));
        await browser.submit(again.answer, { email: person.email, password: PASSWORD });
        expect(await userinfoStatus(signOn, tokens)).toBe(200);
        const { answer } = await browser.follow(logoutPath());
        await browser.submit(answer, {});
        expect(await userinfoStatus(signOn, tokens)).toBe(401);
      });

      it.each<[string, boolean, (begun: Awaited<ReturnType<typeof begin>>, idle: () => void) => Promise<unknown>]>([
        [
          "takes what came from it along also when it was idle for too long",
          true,
          async ({ browser, tokens }, idle) => {
            idle();
            await browser.follow(logoutPath({ id_token_hint: tokens.id_token }));
          },
        ],
        [
          "does so by POST, too",
          true,
          async ({ browser, tokens }, idle) => {
            idle();
            await browser.follow("/auth/logout", { form: { id_token_hint: tokens.id_token } });
          },
        ],
        [
          "does so when the person answers a question that was open for that long",
          true,
          async ({ browser }, idle) => {
            const { answer } = await browser.follow("/auth/sign-out");
            idle();
            await browser.submit(answer, {});
          },
        ],
        [
          "does so when it is an application's question, which is gone by then",
          true,
          async ({ browser, person }, idle) => {
            const { answer } = await browser.follow(logoutPath({ client_id: person.application.id }));
            idle();
            await browser.submit(answer, {});
          },
        ],
        [
          "takes nothing along then for a form that is not of that application's question (S10)",
          false,
          async ({ browser, person }, idle) => {
            const { path } = await browser.follow(logoutPath({ client_id: person.application.id }));
            idle();
            await browser.open(path, { form: { form_token: "another form" } });
          },
        ],
        [
          "takes nothing along then for a form that is not of that question (S10)",
          false,
          async ({ browser }, idle) => {
            const { path } = await browser.follow("/auth/sign-out");
            idle();
            await browser.open(path, { form: { form_token: "another form" } });
          },
        ],
        [
          "takes nothing along then for who brings no ID token of it, and is asked no question",
          false,
          async ({ browser, person }, idle) => {
            idle();
            await browser.follow(logoutPath({ client_id: person.application.id }));
          },
        ],
      ])("%s", async (_, ends, leave) => {
        const begun = await begin();
        const { signOn, person, browser, tokens } = begun;
        await leave(begun, () => signOn.clock.step(9 * 3_600_000));
        expect(await isSignedIn(browser, person)).toBe(false);
        const { id: client_id, secret: client_secret } = person.application;
        const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id, client_secret };
        expect((await call(signOn.url, "/auth/token", { form })).status).toBe(ends ? 400 : 200);
        expect(await auditOf(person.personId)).toHaveLength(ends ? 1 : 0);
      });

      it.each<[string, boolean, (begun: Awaited<ReturnType<typeof begin>>) => Promise<unknown>]>([
        [
          "still takes what came from it along when its row was removed",
          true,
          ({ browser, tokens }) => browser.follow(logoutPath({ id_token_hint: tokens.id_token })),
        ],
        [
          "does so by POST, too, when its row was removed",
          true,
          ({ browser, tokens }) => browser.follow("/auth/logout", { form: { id_token_hint: tokens.id_token } }),
        ],
        [
          "takes nothing along then for a browser without its cookie",
          false,
          ({ signOn, tokens }) => new Browser(signOn.url).follow(logoutPath({ id_token_hint: tokens.id_token })),
        ],
        [
          "takes nothing along then for another session's ID token",
          false,
          async ({ signOn, person, browser }) => {
            const elsewhere = await signedInBrowser(signOn, person);
            await browser.follow(logoutPath({ id_token_hint: elsewhere.tokens.id_token }));
          },
        ],
        [
          "leaves what has offline_access, also when its row was removed",
          false,
          async ({ signOn, person }) => {
            const other = await signedInBrowser(signOn, person, { scope: "openid offline_access" });
            await removeExpiredSessions(signOn);
            await other.browser.follow(logoutPath({ id_token_hint: other.tokens.id_token }));
            expect((await refreshed(person, other.tokens.refresh_token)).status).toBe(200);
          },
        ],
      ])("%s (R-X116)", async (_, ends, leave) => {
        const begun = await begin();
        const { signOn, person, tokens } = begun;
        await removeExpiredSessions(signOn);
        await leave(begun);
        expect((await refreshed(person, tokens.refresh_token)).status).toBe(ends ? 400 : 200);
        expect(await auditOf(person.personId)).toHaveLength(ends ? 1 : 0);
      });

      it("whose row was removed is taken over when the same person signs in again (R-X117)", async () => {
        const { signOn, person, browser, tokens } = await begin();
        await removeExpiredSessions(signOn);
        const login = await browser.follow(authorizePath(person));
        await browser.submit(login.answer, { email: person.email, password: PASSWORD });
        const next = await refreshed(person, tokens.refresh_token);
        expect(next.status).toBe(200);
        const { answer } = await browser.follow(logoutPath());
        await browser.submit(answer, {});
        expect((await refreshed(person, next.json<{ refresh_token: string }>().refresh_token)).status).toBe(400);
      });

      it("whose row was removed is not taken over by another person (R-X117)", async () => {
        const { signOn, person, browser, tokens } = await begin();
        const { email } = await withPerson(signOn, person, `leaver${++people}@harbour.example`);
        await removeExpiredSessions(signOn);
        const login = await browser.follow(authorizePath(person));
        await browser.submit(login.answer, { email, password: PASSWORD });
        const { answer } = await browser.follow(logoutPath());
        await browser.submit(answer, {});
        expect((await refreshed(person, tokens.refresh_token)).status).toBe(200);
      });

      it.each([
        ["the same person, whose sign-out then ends both", true],
        ["another person", false],
      ])("that was idle for too long is replaced by the one of %s (R-X117)", async (_, isSame) => {
        const { signOn, person, browser, tokens } = await begin();
        const { email } = isSame ? person : await withPerson(signOn, person, `leaver${++people}@harbour.example`);
        signOn.clock.step(9 * 3_600_000);
        const login = await browser.follow(authorizePath(person));
        await browser.submit(login.answer, { email, password: PASSWORD });
        const { id: client_id, secret: client_secret } = person.application;
        const refresh = async (refresh_token: string) =>
          call(signOn.url, "/auth/token", {
            form: { grant_type: "refresh_token", refresh_token, client_id, client_secret },
          });
        if (isSame) {
          const refreshed = await refresh(tokens.refresh_token);
          expect(refreshed.status).toBe(200);
          const { answer } = await browser.follow(logoutPath());
          await browser.submit(answer, {});
          expect((await refresh(refreshed.json<{ refresh_token: string }>().refresh_token)).status).toBe(400);
        } else expect((await refresh(tokens.refresh_token)).status).toBe(400);
      });

      it("ends when another person signs in with the same browser", async () => {
        const { signOn, person, browser, tokens } = await begin();
        const other = await withPerson(signOn, person, `successor${people}@harbour.example`);
        signOn.clock.step(1_000);
        const login = await browser.follow(authorizePath(other, { prompt: "login" }));
        await browser.submit(login.answer, { email: other.email, password: PASSWORD });
        expect(await userinfoStatus(signOn, tokens)).toBe(401);
        const facts = { because: "another person signed in", application: other.application.id };
        expect(await auditOf(person.personId)).toEqual([
          { actor: other.personId, action: "session.end", facts: JSON.stringify(facts) },
        ]);
      });

      it("is over at the server: its cookie is worthless, and removed (S12)", async () => {
        const { signOn, person, browser, tokens } = await begin();
        const cookie = `gatehouse_session=${browser.cookies.get("gatehouse_session")}`;
        const answer = await browser.open(logoutPath({ id_token_hint: tokens.id_token }));
        expect(answer.status).toBe(303);
        expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^gatehouse_session=; .*Max-Age=0$/)]);
        const asked = await call(signOn.url, authorizePath(person, { prompt: "none" }), { headers: { cookie } });
        expect(asked.headers.get("location")).toContain("error=login_required");
      });

      it("leaves one audit entry: who, by which application, and that is all", async () => {
        const { person, browser, tokens } = await begin();
        await browser.open(logoutPath({ id_token_hint: tokens.id_token }));
        await browser.open(logoutPath({ id_token_hint: tokens.id_token }));
        expect(await auditOf(person.personId)).toEqual([
          {
            actor: person.personId,
            action: "session.end",
            facts: JSON.stringify({ because: "signed out", application: person.application.id }),
          },
        ]);
      });
    });

    describe("the hint", () => {
      it("may have expired long ago, as long as the session lives", async () => {
        const { signOn, world } = scene();
        const short = await withApplication(signOn, world, {
          lifetimes: { idTokenSeconds: 60 },
          postLogoutRedirectUris: [POST_LOGOUT_URI],
        });
        const { browser, tokens } = await signedInBrowser(signOn, short);
        signOn.clock.step(3 * 3_600_000);
        const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: POST_LOGOUT_URI };
        const { left } = await browser.follow(logoutPath(hint));
        expect(left?.href).toBe(POST_LOGOUT_URI);
        expect(await isSignedIn(browser, short)).toBe(false);
      });

      it("of another session of the same person only leads to the question: an old or stolen one ends no session (R-X116)", async () => {
        const { signOn, person, browser } = await begin();
        const stolen = await signedInBrowser(signOn, person);
        const hint = { id_token_hint: stolen.tokens.id_token, post_logout_redirect_uri: POST_LOGOUT_URI, state: "s" };
        const { path, answer } = await browser.follow(logoutPath(hint));
        expect(path).toMatch(/^\/auth\/sign-out\?logout=\w{22}$/);
        expect(answer.text).toContain("asks to sign you out");
        expect(await isSignedIn(browser, person)).toBe(true);
        const { left } = await browser.submit(answer, {});
        expect(left?.href).toBe(`${POST_LOGOUT_URI}?state=s`);
        expect([await isSignedIn(browser, person), await isSignedIn(stolen.browser, person)]).toEqual([false, true]);
      });

      it("of another person only leads to the question, too", async () => {
        const { person, browser } = await begin();
        const other = await begin();
        const { path } = await browser.follow(logoutPath({ id_token_hint: other.tokens.id_token }));
        expect(path).toMatch(/^\/auth\/sign-out/);
        expect([await isSignedIn(browser, person), await isSignedIn(other.browser, other.person)]).toEqual([
          true,
          true,
        ]);
      });

      it("must be of the application that client_id names (§2)", async () => {
        const { signOn, person, browser, tokens } = await begin();
        const other = await withApplication(signOn, person, { postLogoutRedirectUris: [POST_LOGOUT_URI] });
        const { left, answer } = await browser.follow(
          logoutPath({
            id_token_hint: tokens.id_token,
            client_id: other.application.id,
            post_logout_redirect_uri: POST_LOGOUT_URI,
          }),
        );
        expect(left).toBeUndefined();
        expect(answer.status).toBe(400);
        expect(answer.text).toContain("It is not clear who asks to sign you out");
        expect(await isSignedIn(browser, person)).toBe(true);
      });

      it.each<[string, (token: { readonly id_token: string; readonly access_token: string }) => string]>([
        ["an access token", ({ access_token }) => access_token],
        ["one with a letter changed", ({ id_token }) => id_token.replace(/.$/, (last) => (last === "A" ? "B" : "A"))],
        ["one that is cut off", ({ id_token }) => id_token.slice(0, -10)],
        ["no token", () => "not.a.token"],
        ["something else", () => "x"],
      ])("that is %s is refused, and ends nothing (S33, S34)", async (_, hintOf) => {
        const { person, browser, tokens } = await begin();
        const { answer, left } = await browser.follow(
          logoutPath({ id_token_hint: hintOf(tokens), post_logout_redirect_uri: POST_LOGOUT_URI }),
        );
        expect(left).toBeUndefined();
        expect(answer.status).toBe(400);
        expect(answer.text).toContain("We do not recognise this request to sign out");
        expect(await isSignedIn(browser, person)).toBe(true);
      });
    });

    describe("without a hint", () => {
      it("client_id is enough for the way back, after the question", async () => {
        const { person, browser } = await begin();
        const { path, answer } = await browser.follow(
          logoutPath({
            client_id: person.application.id,
            post_logout_redirect_uri: POST_LOGOUT_URI,
            state: 'a b&"<é🙂',
          }),
        );
        expect(path).toMatch(/^\/auth\/sign-out\?logout=/);
        expect(answer.text).toContain("<bdi>Marigold</bdi>");
        expect(answer.text).toContain("https://payroll.example");
        const { left } = await browser.submit(answer, {});
        expect(left?.href).toBe(`${POST_LOGOUT_URI}?state=${encodeURIComponent('a b&"<é🙂')}`);
        expect(await isSignedIn(browser, person)).toBe(false);
      });

      it("an unknown application is refused, and so is one that is switched off", async () => {
        const { signOn, world } = scene();
        const off = await withApplication(signOn, world, { postLogoutRedirectUris: [POST_LOGOUT_URI] });
        await signOn.db
          .updateTable("sign_on_applications")
          .set({ disabled_at: 1 })
          .where("id", "=", off.application.id)
          .execute();
        const ids = [off.application.id, "app_000000000000000000000", "x"];
        const answers = await Promise.all(
          ids.map((client_id) =>
            call(signOn.url, logoutPath({ client_id, post_logout_redirect_uri: POST_LOGOUT_URI })),
          ),
        );
        expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
        expect(answers.filter(({ text }) => !text.includes("It is not clear who asks"))).toEqual([]);
      });

      it("an address of another application is refused (RFC 9700 statement 5)", async () => {
        const { signOn, world } = scene();
        const other = await withApplication(signOn, world, { postLogoutRedirectUris: ["https://other.example/"] });
        const answer = await call(
          signOn.url,
          logoutPath({ client_id: other.application.id, post_logout_redirect_uri: POST_LOGOUT_URI }),
        );
        expect(answer.status).toBe(400);
        expect(answer.headers.get("location")).toBeNull();
      });
    });

    describe("in a browser without a session", () => {
      it("there is nothing to ask: on to the registered address, or to the page that says so", async () => {
        const { signOn, world } = scene();
        const browser = new Browser(signOn.url);
        const back = { client_id: world.application.id, post_logout_redirect_uri: POST_LOGOUT_URI, state: "s" };
        expect((await browser.follow(logoutPath(back))).left?.href).toBe(`${POST_LOGOUT_URI}?state=s`);
        const { path, answer } = await browser.follow(logoutPath());
        expect(path).toBe("/auth/signed-out");
        expect(answer.text).toContain("You are signed out");
      });

      it("the page leads on to the account, and to the application that asked when its address is clear (R-X205)", async () => {
        const { signOn, world } = scene();
        const one = [{ uri: "https://clear.example/cb", instanceId: world.instanceId }];
        const two = [...one, { uri: "https://other.example/cb", instanceId: world.instanceId }];
        const linksFor = async (redirectUris: typeof one) => {
          const { application } = await withApplication(signOn, world, { name: "Clear Payroll", redirectUris });
          const { answer } = await new Browser(signOn.url).follow(logoutPath({ client_id: application.id }));
          return [...answer.text.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(?:<bdi>)?([^<]*)/g)].map(([, ...link]) => link);
        };
        const account = ["/auth/account", "Sign in to your account"];
        expect(await linksFor(one)).toEqual([["https://clear.example", "Go to "], account]);
        expect(await linksFor(two)).toEqual([account]);
        const unknown = await call(signOn.url, "/auth/signed-out?application=app_AAAAAAAAAAAAAAAAAAAAA");
        expect([unknown.status, unknown.text.includes("Clear Payroll")]).toEqual([200, false]);
      });

      it("an unknown session cookie is removed, and one that was sent twice is ignored (S13)", async () => {
        const { signOn, person, browser } = await begin();
        const planted = await call(signOn.url, "/auth/logout", { headers: { cookie: "gatehouse_session=planted" } });
        expect(planted.headers.getSetCookie()).toEqual([expect.stringMatching(/^gatehouse_session=; .*Max-Age=0$/)]);
        const own = `gatehouse_session=${browser.cookies.get("gatehouse_session")}`;
        const cookie = `${own}; gatehouse_session=planted`;
        const doubled = await call(signOn.url, "/auth/logout", { headers: { cookie } });
        expect(doubled.headers.get("location")).toBe("/auth/signed-out");
        expect(await isSignedIn(browser, person)).toBe(true);
      });

      it("the page that says signed out says so only when it is true", async () => {
        const { browser } = await begin();
        expect((await browser.open("/auth/signed-out")).headers.get("location")).toBe("/auth/sign-out");
      });
    });

    describe("by POST (§2)", () => {
      it("does the same as GET, at a page of ours, where the cookie comes along", async () => {
        const { signOn, person, browser, tokens } = await begin();
        const form = { id_token_hint: tokens.id_token, post_logout_redirect_uri: POST_LOGOUT_URI, state: "a+b c" };
        // Another site's form brings no Lax cookie.
        const headers = { "sec-fetch-site": "cross-site", origin: "https://payroll.example" };
        const posted = await call(signOn.url, "/auth/logout", { form, headers });
        expect(posted.status).toBe(303);
        expect(posted.headers.get("location")).toMatch(/^\/auth\/sign-out\?logout=\w{22}$/);
        expect(posted.headers.get("location")).not.toContain("eyJ");
        const { left } = await browser.follow(posted.headers.get("location") ?? "");
        expect(left?.href).toBe(`${POST_LOGOUT_URI}?state=${encodeURIComponent("a+b c")}`);
        expect(await isSignedIn(browser, person)).toBe(false);
        // Not only the cookie is gone.
        expect(await userinfoStatus(signOn, tokens)).toBe(401);
      });

      it("ends nothing by itself, cookie or not", async () => {
        const { person, browser, tokens } = await begin();
        const posted = await browser.open("/auth/logout", { form: { id_token_hint: tokens.id_token } });
        expect(posted.headers.getSetCookie()).toEqual([]);
        expect(await isSignedIn(browser, person)).toBe(true);
      });

      it("refuses what GET refuses, with the same pages", async () => {
        const { signOn } = scene();
        const bodies = [
          { id_token_hint: "x" },
          { client_id: "x" },
          { post_logout_redirect_uri: POST_LOGOUT_URI },
          { state: "x".repeat(2_049) },
        ];
        const titleOf = (text: string) => /<h1>([^<]*)/.exec(text)?.[1];
        const posted = await Promise.all(bodies.map((form) => call(signOn.url, "/auth/logout", { form })));
        const got = await Promise.all(bodies.map((form) => call(signOn.url, logoutPath(form))));
        expect(posted.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
        expect(posted.map(({ text }) => titleOf(text))).toEqual(got.map(({ text }) => titleOf(text)));
      });

      it.each(NO_FORMS.filter(([title]) => title !== "a form without fields" && title !== "a field twice"))(
        "refuses %s with %d (S14)",
        async (_, status, init) => {
          expect((await call(scene().signOn.url, "/auth/logout", { method: "POST", ...init })).status).toBe(status);
        },
      );

      it("takes a form without fields for a person's own wish", async () => {
        const { signOn } = scene();
        const posted = await call(signOn.url, "/auth/logout", { method: "POST", form: {} });
        expect(posted.headers.get("location")).toMatch(/^\/auth\/sign-out/);
      });
    });

    describe("parameters (S4, S40)", () => {
      const NAMES = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state", "logout_hint", "ui_locales"];
      it.each(NAMES)("%s twice is refused, by GET and by POST", async (name) => {
        const { signOn } = scene();
        const twice = [
          [name, "a"],
          [name, "a"],
        ] as const;
        const query = new URLSearchParams(twice.map(([key, value]): [string, string] => [key, value]));
        const answers = [
          await call(signOn.url, `/auth/logout?${query}`),
          await call(signOn.url, "/auth/logout", { form: twice }),
        ];
        expect(answers.map(({ status }) => status)).toEqual([400, 400]);
        expect(answers.filter(({ text }) => !text.includes("We cannot read this request to sign out"))).toEqual([]);
      });

      it.each(NAMES)("%s that is not text is refused: NUL, half an encoding, no UTF-8", async (name) => {
        const { signOn } = scene();
        const answers = await Promise.all(
          ["%00", "%zz", "%ff", "%ed%a0%80"].map((value) => call(signOn.url, `/auth/logout?${name}=${value}`)),
        );
        expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
      });

      it("unknown ones are ignored, and so is who is meant: the cookie decides", async () => {
        const { person, browser, tokens } = await begin();
        const { path } = await browser.follow(
          logoutPath({ id_token_hint: tokens.id_token, extra: "foobar", logout_hint: "x", ui_locales: "fr de" }),
        );
        expect(path).toBe(`/auth/signed-out?application=${person.application.id}&ui_locales=de`);
        expect(await isSignedIn(browser, person)).toBe(false);
      });

      it("nothing of them is shown", async () => {
        const { signOn } = scene();
        const canary = "https://canary.example/<b>";
        const answers = await Promise.all(
          NAMES.map((name) => call(signOn.url, logoutPath({ [name]: canary, post_logout_redirect_uri: canary }))),
        );
        expect(answers.map(({ status }) => status)).toEqual(NAMES.map(() => 400));
        expect(answers.filter(({ text }) => text.includes("canary"))).toEqual([]);
      });
    });

    it("forgets a request for sign-out after an hour, and once it was answered", async () => {
      const { signOn, person, browser } = await begin();
      const { path } = await browser.follow(logoutPath({ client_id: person.application.id }));
      signOn.clock.step(3_600_000);
      const { answer } = await browser.follow(path);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("This question has been answered");
      signOn.clock.step(DAY_MS);
      expect(await obtainCode(signOn.url, person)).toMatch(/^[\w-]{64}$/);
    });

    it("ends a session once, however often it is asked at the same time", async () => {
      const { person, browser, tokens } = await begin();
      const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: POST_LOGOUT_URI };
      const answers = await Promise.all(Array.from({ length: 8 }, () => browser.open(logoutPath(hint))));
      expect(answers.map(({ headers }) => headers.get("location"))).toEqual(answers.map(() => POST_LOGOUT_URI));
      expect(await auditOf(person.personId)).toHaveLength(1);
    });

    it("lets the same browser sign in again", async () => {
      const { person, browser, tokens } = await begin();
      await browser.follow(logoutPath({ id_token_hint: tokens.id_token }));
      const left = await signIn(browser, authorizePath(person), { email: person.email });
      expect(left.searchParams.get("code")).toMatch(/^[\w-]{64}$/);
    });
  },
  { world: { application: { postLogoutRedirectUris: [POST_LOGOUT_URI] } } },
);
