import { systemRandom } from "../../../../src/runtime/basis/random.ts";
import { hashPassword } from "../../../../src/sign-on/credentials/password-hash.ts";
import { auditEntries } from "../../../support/audited.ts";
import { authorizePath, Browser, tokenOf } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { PASSWORD } from "../../../support/world.ts";
import { FOREIGN_HEADERS, NO_FORMS } from "../../foreign-forms.ts";
import { describeSignOn, withPerson } from "../../sign-on-fixture.ts";
import { isSignedIn, signedInBrowser, userinfoStatus } from "../logout/logout-kit.ts";
import { atAccount, sidsOf } from "./account-kit.ts";

const PATH = "/auth/account/password";
const SIGN_IN = "/auth/account/sign-in?next=password";
const NEW = "seven lanterns over the quay";
const change = { old_password: PASSWORD, password: NEW, password_again: NEW };

describeSignOn(
  "/auth/account/password",
  (scene) => {
    let people = 0;
    async function begin() {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, `changer${++people}@harbour.example`);
      const { browser } = await atAccount(signOn, person);
      return { signOn, person, browser, page: await browser.open(PATH) };
    }

    it("asks to sign in first", async () => {
      const { signOn } = scene();
      expect((await call(signOn.url, PATH)).headers.get("location")).toBe(SIGN_IN);
      const posted = await call(signOn.url, PATH, { form: { form_token: "x", ...change } });
      expect(posted.headers.get("location")).toBe(SIGN_IN);
    });

    it("follows a sign-in that it asked for, in its language and after a wrong password too (R-X119)", async () => {
      const { signOn, world } = scene();
      const { email } = await withPerson(signOn, world, `changer${++people}@harbour.example`);
      const browser = new Browser(signOn.url);
      const { answer } = await browser.follow("/.well-known/change-password?ui_locales=de");
      const wrong = await browser.submit(answer, { email, password: "not the password at all" });
      const right = await browser.submit(wrong.answer, { email, password: PASSWORD });
      expect([wrong.answer.status, right.path, right.answer.status]).toEqual([400, `${PATH}?ui_locales=de`, 200]);
      expect((await browser.follow(SIGN_IN)).path).toBe(PATH);
      expect((await call(signOn.url, "/auth/account/sign-in?next=elsewhere")).status).toBe(400);
    });

    it("changes it: others end, tokens with and without offline_access too; this one goes on under another secret (R-S20, S12, R-X120)", async () => {
      const { signOn, person, browser, page } = await begin();
      const elsewhere = await signedInBrowser(signOn, person, { scope: "openid offline_access" });
      const before = browser.cookies.get("gatehouse_session") ?? "";
      const { path, answer } = await browser.submit(page, change);
      expect(path).toBe("/auth/account?done=password");
      expect(answer.text).toContain("Your password is changed.");
      expect(sidsOf(answer)).toHaveLength(1);
      expect(browser.cookies.get("gatehouse_session")).not.toBe(before);
      const old = await call(signOn.url, "/auth/account", { headers: { cookie: `gatehouse_session=${before}` } });
      expect(old.headers.get("location")).toBe("/auth/account/sign-in");
      expect(await isSignedIn(elsewhere.browser, person)).toBe(false);
      expect(await userinfoStatus(signOn, elsewhere.tokens)).toBe(401);
      const login = await new Browser(signOn.url).follow("/auth/account");
      const again = new Browser(signOn.url);
      const fresh = await again.follow("/auth/account");
      expect(login.path).toBe("/auth/account/sign-in");
      expect((await again.submit(fresh.answer, { email: person.email, password: PASSWORD })).answer.status).toBe(400);
      expect((await again.submit(fresh.answer, { email: person.email, password: NEW })).path).toBe("/auth/account");
    });

    it("goes on where the clock is set back, for a person who was enabled again before that (R-X93)", async () => {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, `changer${++people}@harbour.example`);
      await signOn.platform.disablePerson({ requestId: "", personId: person.personId });
      await signOn.platform.enablePerson({ requestId: "", personId: person.personId });
      const { browser } = await atAccount(signOn, person);
      const page = await browser.open(PATH);
      signOn.clock.step(-5_000);
      expect((await browser.submit(page, change)).path).toBe("/auth/account?done=password");
    });

    it.each([
      ["too short", "x7#Qz", "too short"],
      ["repeated", "passwordpassword", "repeats itself"],
      ["a row", "qwertyuiopasdfghjkl", "follows the alphabet or the keyboard"],
    ])(
      "refuses a new password that is %s, with the reason, and changes nothing (NIST SP 800-63B)",
      async (_, password, words) => {
        const { person, browser, page } = await begin();
        const { answer } = await browser.submit(page, { ...change, password, password_again: password });
        expect(answer.status).toBe(400);
        expect(answer.text).toContain(words);
        expect(answer.text).not.toContain(password);
        expect(await isSignedIn(browser, person)).toBe(true);
      },
    );

    it("refuses two entries that differ, and a wrong old password", async () => {
      const { person, browser, page } = await begin();
      const differing = await browser.submit(page, { ...change, password_again: `${NEW}.` });
      const wrong = await browser.submit(page, { ...change, old_password: "not the password at all" });
      expect([differing.answer.status, wrong.answer.status]).toEqual([400, 400]);
      expect(differing.answer.text).toContain("The two passwords are not the same");
      expect(wrong.answer.text).toContain("The current password is wrong.");
      expect(await isSignedIn(browser, person)).toBe(true);
      expect((await browser.submit(wrong.answer, change)).path).toBe("/auth/account?done=password");
    });

    it.each([4_097, 20_000])("says what is wrong with passwords of %i characters (R-X15, R-X377)", async (length) => {
      const { person, browser, page } = await begin();
      const long = "quiet heron ".repeat(length).slice(0, length);
      const old = await browser.submit(page, { ...change, old_password: long });
      const fresh = await browser.submit(page, { ...change, password: long, password_again: long });
      expect([old.answer.status, fresh.answer.status]).toEqual([400, 400]);
      expect(old.answer.text).toContain("The current password is wrong.");
      expect(fresh.answer.text).toContain("This password is too long. Use at most 1,024 characters.");
      expect(await isSignedIn(browser, person)).toBe(true);
      expect((await browser.submit(fresh.answer, change)).path).toBe("/auth/account?done=password");
    });

    it("says whom to ask after a wrong old password, with the request id, and not after two entries that differ (R-X196)", async () => {
      const { browser, page } = await begin();
      const { answer } = await browser.submit(page, { ...change, old_password: "not the password at all" });
      expect(answer.text).toContain("the administrator of your company");
      expect(answer.text).toContain(`<code>${answer.headers.get("x-request-id")}</code>`);
      const differing = await browser.submit(page, { ...change, password_again: `${NEW}.` });
      expect([page.text, differing.answer.text].filter((text) => text.includes("<code>req_"))).toEqual([]);
    });

    it("throttles wrong old passwords like failed sign-ins (R-S17, R-X119)", async () => {
      const { browser, page } = await begin();
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 12; attempt++)
        statuses.push(
          (await browser.submit(page, { ...change, old_password: `guess number ${attempt} of many` })).answer.status,
        );
      expect(statuses.slice(-1)).toEqual([429]);
      const right = await browser.submit(page, change);
      expect(right.answer.status).toBe(429);
      expect(right.answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    });

    it("leaves an audit entry for the wait that a wrong old password begins, as a sign-in does (R-X87, R-X119)", async () => {
      const { signOn, person, browser, page } = await begin();
      const wrong = { ...change, old_password: "not the password at all" };
      for (let attempt = 0; attempt < 9; attempt++) await browser.submit(page, wrong);
      const throttled = { object: person.personId, action: "signIn.throttle" };
      const entries = await auditEntries(signOn.opened.store, ["actor", "facts"], throttled);
      const facts = JSON.stringify({ application: null, instance: null, by: "device", seconds: 10 });
      expect(entries).toEqual([{ actor: person.personId, facts }]);
    });

    it("is found where password managers look for it, signed in or not", async () => {
      const { browser } = await begin();
      const found = await browser.follow("/.well-known/change-password");
      const stranger = await new Browser(scene().signOn.url).follow("/.well-known/change-password");
      expect([found.path, found.answer.status, stranger.path]).toEqual([PATH, 200, SIGN_IN]);
    });

    it("forgets the failures when the old password was right, like a sign-in", async () => {
      const { browser, page } = await begin();
      const wrong = { ...change, old_password: "not the password at all" };
      for (let attempt = 0; attempt < 5; attempt++) await browser.submit(page, wrong);
      expect((await browser.submit(page, change)).path).toBe("/auth/account?done=password");
      const again = await browser.open(PATH);
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 3; attempt++) statuses.push((await browser.submit(again, wrong)).answer.status);
      expect(statuses).toEqual([400, 400, 400]);
    });

    it("takes one of two forms sent at once", async () => {
      const { browser, page } = await begin();
      const form = { form_token: tokenOf(page), ...change };
      const answers = await Promise.all([1, 2, 3].map(() => browser.open(PATH, { form })));
      const done = answers.filter(({ headers }) => headers.get("location") === "/auth/account?done=password");
      expect(done).toHaveLength(1);
    });

    it.each(FOREIGN_HEADERS)("refuses a form %s, though its token is right (S10)", async (_, headers) => {
      const { person, browser, page } = await begin();
      const refused = await browser.open(PATH, { form: { form_token: tokenOf(page), ...change }, headers });
      expect(refused.status).toBe(400);
      expect(await isSignedIn(browser, person)).toBe(true);
    });

    it("refuses an empty, changed or stolen token, and the one of another page (S10)", async () => {
      const { browser, page } = await begin();
      const attacker = await begin();
      const own = tokenOf(page);
      const ofAccount = tokenOf(await browser.open("/auth/account"));
      const tokens = ["", own.slice(1), `${own}A`, tokenOf(attacker.page), ofAccount];
      const answers: Answer[] = [];
      for (const form_token of tokens) answers.push(await browser.open(PATH, { form: { form_token, ...change } }));
      expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 400));
    });

    it.each(NO_FORMS)("refuses %s with %d (S14)", async (_, status, init) => {
      const { browser } = await begin();
      expect((await browser.open(PATH, { method: "POST", ...init })).status).toBe(status);
    });

    it("is one change: sign-ins of applications go on with the new session", async () => {
      const { person, browser, page } = await begin();
      await browser.submit(page, change);
      expect((await browser.follow(authorizePath(person))).path).toMatch(/^\/auth\/consent/);
    });
  },
  { settings: { "sign-in-failures-per-email": 6, "sign-in-failures-per-network": 0 } },
);

describeSignOn(
  "/auth/account/password, where a hash takes its time",
  (scene) => {
    it("changes a password that is hashed again meanwhile, as a sign-in may do (R-X89)", async () => {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, "renewed@harbour.example");
      const { browser } = await atAccount(signOn, person);
      const page = await browser.open(PATH);
      const renewed = await hashPassword(PASSWORD, { memoryKib: 64, passes: 1 }, systemRandom);
      const renew = () =>
        signOn.db
          .updateTable("sign_on_credentials")
          .set({ password_hash: renewed })
          .where("person_id", "=", person.personId)
          .execute();
      // While the old password is compared, or the new one is hashed.
      signOn.holdWorkforce("/GetPerson", async () => void setTimeout(renew, 40));
      expect((await browser.submit(page, change)).path).toBe("/auth/account?done=password");
      expect(await isSignedIn(browser, person)).toBe(true);
    });

    it("does not reveal the right old password among many parallel guesses (R-S17)", async () => {
      const { signOn, world } = scene();
      const { browser } = await atAccount(signOn, world);
      const form = { form_token: tokenOf(await browser.open(PATH)), ...change };
      // Twice as many as may fail, and no more: each is a slow hash, and the last has the five seconds of a call for all of them.
      const guesses = Array.from({ length: 6 }, (_, guess) => ({ ...form, old_password: `guess ${guess} of many` }));
      const answers = await Promise.all([...guesses, form].map((one) => browser.open(PATH, { form: one })));
      expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(4);
      expect(answers.at(-1)?.status).toBe(429);
      expect(await isSignedIn(browser, world)).toBe(true);
    });
  },
  {
    settings: {
      "sign-in-failures-per-email": 3,
      "password-memory-kib": 19_456,
      "password-passes": 4,
      "password-hash-concurrency": 1,
    },
  },
);
