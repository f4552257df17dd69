import { authorizePath, Browser, tokenOf } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { invitation, PASSWORD, present } from "../../../support/world.ts";
import { FOREIGN_HEADERS, NO_FORMS } from "../../foreign-forms.ts";
import { describeSignOn, withPerson } from "../../sign-on-fixture.ts";
import { isSignedIn } from "../logout/logout-kit.ts";
import { atAccount } from "./account-kit.ts";

const PATH = "/auth/account/sign-in";

describeSignOn(
  "/auth/account/sign-in",
  (scene) => {
    let people = 0;
    async function begin() {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, `visitor${++people}@harbour.example`);
      const browser = new Browser(signOn.url);
      return { signOn, person, browser, ...(await browser.follow(PATH)) };
    }
    const right = ({ email }: { readonly email: string }) => ({ email, password: PASSWORD });

    it("signs in for every application, too: it is the same session", async () => {
      const { person, browser, answer } = await begin();
      expect((await browser.submit(answer, right(person))).path).toBe("/auth/account");
      const { path } = await browser.follow(authorizePath(person));
      expect(path).toMatch(/^\/auth\/consent/);
    });

    const statesOf = async (...userIds: readonly string[]) => {
      const { workforceDb, opened } = scene().signOn;
      const users = await workforceDb
        .selectFrom("workforce_users")
        .select(["id", "status"])
        .where("id", "in", userIds as never)
        .execute();
      const events = await opened.store
        .view<{ outbox_entries: { event_type: string; entity_id: string } }>()
        .selectFrom("outbox_entries")
        .select("entity_id")
        .where("event_type", "=", "user.updated")
        .where("entity_id", "in", userIds)
        .execute();
      return [users.map(({ status }) => status), events.map((row) => row.entity_id).toSorted()];
    };

    it("is a first sign-in like any other: users on all instances become ACTIVE, with one event each (spec §3, R-S19, R-X162)", async () => {
      const { signOn, person, browser, answer } = await begin();
      const { platform } = signOn;
      const { instance } = await platform.createInstance({ requestId: "", name: "North America" });
      const instanceId = present(instance).id;
      const { tenant } = await platform.createTenant({ requestId: "", instanceId, name: "Quay", address: null });
      const { user } = await platform.inviteUser(invitation(present(tenant).id, person.email));
      const userIds = [person.userId, present(user).id];
      expect(await statesOf(...userIds)).toEqual([["INVITED", "INVITED"], []]);
      await browser.submit(answer, { email: person.email, password: "not the password at all" });
      expect(await statesOf(...userIds)).toEqual([["INVITED", "INVITED"], []]);
      await browser.submit(answer, right(person));
      expect(await statesOf(...userIds)).toEqual([["ACTIVE", "ACTIVE"], userIds.toSorted()]);
      await atAccount(signOn, person);
      expect(await statesOf(...userIds)).toEqual([["ACTIVE", "ACTIVE"], userIds.toSorted()]);
    });

    it("fails when the sign-in cannot be recorded, and succeeds at the next try (S19)", async () => {
      const { signOn, person, browser, answer } = await begin();
      const failed = await signOn.withoutTable("outbox_entries", () => browser.submit(answer, right(person)));
      expect([failed.answer.status, [...browser.cookies.keys()]]).toEqual([500, ["gatehouse_account"]]);
      expect(await statesOf(person.userId)).toEqual([["INVITED"], []]);
      expect((await browser.submit(answer, right(person))).path).toBe("/auth/account");
      expect(await statesOf(person.userId)).toEqual([["ACTIVE"], [person.userId]]);
    });

    it("leaves no session when it fails after a right password: no browser has its cookie (R-X162)", async () => {
      const { signOn, person, browser, answer } = await begin();
      const key = { $case: "personId", value: person.personId } as const;
      const live = async () => (await signOn.people.listSessions({ key })).sessions.length;
      const failed = await signOn.withoutWorkforce(() => browser.submit(answer, right(person)), {
        method: "/RecordSignInEverywhere",
      });
      expect([failed.answer.status, await live()]).toEqual([503, 0]);
      expect((await browser.submit(answer, right(person))).path).toBe("/auth/account");
      expect(await live()).toBe(1);
    });

    it("happens at the login page too when another person was asked for (R-X108, R-X162)", async () => {
      const { signOn, person } = await begin();
      const { world } = scene();
      const claims = JSON.stringify({ id_token: { sub: { value: world.personId } } });
      const browser = new Browser(signOn.url);
      const login = await browser.follow(authorizePath(person, { claims }));
      const { left } = await browser.submit(login.answer, right(person));
      expect(left?.searchParams.get("error")).toBe("login_required");
      expect(await statesOf(person.userId)).toEqual([["ACTIVE"], [person.userId]]);
    });

    it("does not weaken a sign-in of an application: its page wants its own token", async () => {
      const { person, browser, answer } = await begin();
      const login = await browser.follow(authorizePath(person));
      const form = { form_token: tokenOf(answer), ...right(person) };
      expect((await browser.open(login.path, { form })).status).toBe(400);
      const other = { form_token: tokenOf(login.answer), ...right(person) };
      expect((await browser.open(PATH, { form: other })).status).toBe(400);
    });

    it("goes to the account at once when a person is signed in", async () => {
      const { signOn, person } = await begin();
      const { browser } = await atAccount(signOn, person);
      expect((await browser.open(PATH)).headers.get("location")).toBe("/auth/account");
    });

    it("says one thing of unknown people, wrong passwords and disabled people (R-S17)", async () => {
      const { signOn, person, browser, answer } = await begin();
      const disabled = await begin();
      await signOn.disablePerson(disabled.person.personId);
      const attempts = [
        { email: person.email, password: "not the password at all" },
        { email: "nobody@harbour.example", password: PASSWORD },
        right(disabled.person),
      ];
      const answers: Answer[] = [];
      for (const attempt of attempts) answers.push((await browser.submit(answer, attempt)).answer);
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
      const reference = ({ headers }: Answer) => headers.get("x-request-id") ?? "";
      const without = (answer: Answer) =>
        attempts.reduce((all, { email }) => all.replaceAll(email, ""), answer.text.replace(reference(answer), ""));
      expect(new Set(answers.map(without)).size).toBe(1);
    });

    it.each([
      ["a password", { password: "x".repeat(1_025) }],
      ["a whole page as a password", { password: "x".repeat(60_000) }],
      ["an address", { email: `${"x".repeat(320)}@harbour.example` }],
    ])("says that %s longer than any is wrong, and takes the right ones next (R-X377)", async (_, long) => {
      const { person, browser, answer } = await begin();
      const wrong = await browser.submit(answer, { ...right(person), ...long });
      expect([wrong.answer.status, wrong.answer.text]).toEqual([400, expect.stringContaining("is wrong")]);
      expect((await browser.submit(wrong.answer, right(person))).path).toBe("/auth/account");
    });

    it("counts failures with those of every other sign-in, and says how long to wait (R-S17, S17)", async () => {
      const { person, browser, answer } = await begin();
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 12; attempt++) {
        const wrong = await browser.submit(answer, { email: person.email, password: "not the password at all" });
        statuses.push(wrong.answer.status);
      }
      expect(statuses.slice(-1)).toEqual([429]);
      const login = await browser.follow(authorizePath(person));
      expect((await browser.submit(login.answer, right(person))).answer.status).toBe(429);
    });

    it("begins a session of its own: one that was planted before is worthless afterwards (S12)", async () => {
      const { signOn, person, browser, answer } = await begin();
      browser.cookies.set("gatehouse_session", "planted");
      await browser.submit(answer, right(person));
      const planted = await call(signOn.url, "/auth/account", { headers: { cookie: "gatehouse_session=planted" } });
      expect(planted.headers.get("location")).toBe(PATH);
      expect(browser.cookies.get("gatehouse_session")).toMatch(/^[\w-]{43}$/);
      expect(browser.cookies.has("gatehouse_account")).toBe(false);
    });

    it.each(FOREIGN_HEADERS)("refuses a form %s, though its token is right (S10)", async (_, headers) => {
      const { person, browser, answer } = await begin();
      const form = { form_token: tokenOf(answer), ...right(person) };
      const refused = await browser.open(PATH, { form, headers });
      expect(refused.status).toBe(400);
      expect(await isSignedIn(browser, person)).toBe(false);
    });

    it("says that the cookie of its page is missing, where a browser keeps none", async () => {
      const { person, browser, answer } = await begin();
      browser.cookies.clear();
      const refused = await browser.submit(answer, right(person));
      expect([refused.answer.status, refused.answer.text]).toEqual([
        400,
        expect.stringContaining("The cookie of its page is missing"),
      ]);
    });

    it("refuses an empty, changed or stolen token, and one without its cookie: another site cannot sign a person in (S10)", async () => {
      const { signOn, person, browser, answer } = await begin();
      const own = tokenOf(answer);
      const attacker = await begin();
      const tokens = ["", own.slice(1), `${own}A`, tokenOf(attacker.answer)];
      const answers: Answer[] = [];
      for (const form_token of tokens)
        answers.push(await browser.open(PATH, { form: { form_token, ...right(person) } }));
      answers.push(await call(signOn.url, PATH, { form: { form_token: own, ...right(person) } }));
      const cookie = `gatehouse_account=${browser.cookies.get("gatehouse_account")}`;
      const doubled = { cookie: `${cookie}; ${cookie}` };
      answers.push(await call(signOn.url, PATH, { form: { form_token: own, ...right(person) }, headers: doubled }));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(400));
      expect(await isSignedIn(browser, person)).toBe(false);
    });

    it.each(NO_FORMS)("refuses %s with %d (S14, R-X27)", async (_, status, init) => {
      const { browser } = await begin();
      expect((await browser.open(PATH, { method: "POST", ...init })).status).toBe(status);
    });

    it("accepts the forms of two tabs", async () => {
      const { person, browser, answer } = await begin();
      const tab = await browser.follow(PATH);
      expect(
        (await browser.submit(answer, { email: person.email, password: "not the password at all" })).answer.status,
      ).toBe(400);
      expect((await browser.submit(tab.answer, right(person))).path).toBe("/auth/account");
    });
  },
  { settings: { "sign-in-failures-per-email": 6, "sign-in-failures-per-network": 0 } },
);
