import { sql } from "kysely";
import type { PersonId } from "../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { createChanges } from "../../src/runtime/changes/change.ts";
import { codeExpiryRepository } from "../../src/sign-on/authorization-codes/code-expiry-repository.ts";
import { forgetPerson } from "../../src/sign-on/erasure/person-eraser.ts";
import { familyRevocationRepository } from "../../src/sign-on/refresh-tokens/family-revocation-repository.ts";
import { sessionRepository } from "../../src/sign-on/sessions/session-repository.ts";
import { createSignOuts } from "../../src/sign-on/sessions/sign-out-service.ts";
import type { SignOnTables } from "../../src/sign-on/tables.ts";
import { authorizePath, Browser, obtainCode, redeem, signIn, tokenOf } from "../support/browser.ts";
import { blocker, deadlocksOf, patientRacers, waitForLocks } from "../support/deadlocks.ts";
import { onPostgres, type TestStore } from "../support/stores.ts";
import { makeWorld, PASSWORD, type World } from "../support/world.ts";
import { familiesOf } from "./families-kit.ts";
import { openSignOn, type SignOn, signOnSets } from "./sign-on-fixture.ts";

const RESET = "PASSWORD_LINK_PURPOSE_RESET";
const ANOTHER = "another horse battery staple";
/** Of what the test's blocker keeps. */
const HELD = 4711;

onPostgres((open, closeLater) => {
  describe("transactions of several services about one person never wait for each other", () => {
    let observer: TestStore;
    let racers: readonly TestStore[];
    let signOn: SignOn;
    let other: SignOn;
    let world: World;
    beforeEach(async () => {
      observer = await open(signOnSets);
      racers = await patientRacers(observer, 2);
      const [first, second] = racers as [TestStore, TestStore];
      signOn = await openSignOn(first, closeLater);
      const { clock, issuer } = signOn;
      other = await openSignOn(second, closeLater, { clock, issuer });
      world = await makeWorld(signOn);
    });

    const deadlocks = () => deadlocksOf([observer, ...racers]);
    /** Resolves when so many wait for locks, or when the work, which then waited for none, has ended. */
    const waitsOrEnded = (count: number, work: Promise<unknown>) => Promise.race([waitForLocks(observer, count), work]);

    /** Who writes a row of the table waits, with the row locked, until the blocker is ended. */
    async function blockAtRowOf(table: string) {
      await sql`
        create function wait_here() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(${sql.lit(HELD)}); return new; end $$`.execute(signOn.db);
      await sql`
        create trigger wait_here before update on ${sql.table(table)}
        for each row execute function wait_here()`.execute(signOn.db);
      return blocker(observer, (tx) => sql`select pg_advisory_xact_lock(${sql.lit(HELD)})`.execute(tx));
    }

    /** Another process, which reads a table as it is stored, with its first row behind the others; an index has it in its place. */
    async function openScanning(table: string, same: string): Promise<SignOn> {
      await sql`
        update ${sql.table(table)} set ${sql.raw(same)} where ctid = (select min(ctid) from ${sql.table(table)})`.execute(
        signOn.db,
      );
      await sql`do $$ begin
        execute format('alter database %I set enable_indexscan = off', current_database());
        execute format('alter database %I set enable_bitmapscan = off', current_database());
      end $$`.execute(signOn.db);
      const another = await observer.again();
      racers = [...racers, another];
      const { clock, issuer } = signOn;
      return openSignOn(another, closeLater, { clock, issuer });
    }

    async function signedIn(): Promise<Browser> {
      const browser = new Browser(signOn.url);
      const login = await browser.follow("/auth/account");
      await browser.submit(login.answer, { email: world.email, password: PASSWORD });
      return browser;
    }

    const newLink = async () => {
      const key = { $case: "personId", value: world.personId } as const;
      const { pathname, search } = new URL((await signOn.people.createPasswordLink({ key, purpose: RESET })).link);
      return `${pathname}${search}`;
    };

    /** What an erasure of the person does here, in the other process. */
    const erasing = () => {
      const { db, opened, clock } = other;
      const changes = createChanges<SignOnTables>({ ...opened, clock, random: systemRandom });
      const [sessions, families] = [sessionRepository(db), familiesOf(db)];
      const signOuts = createSignOuts({
        revocations: familyRevocationRepository(),
        sessions,
        codeExpiry: codeExpiryRepository(db),
        families,
      });
      return forgetPerson({ changes, sessions, signOuts }, world.personId as PersonId, "req_1");
    };

    it("a change of the password in one session, and the end of all (R-S20)", async () => {
      await signedIn();
      const browser = await signedIn();
      await newLink();
      const form = await browser.open("/auth/account/password");
      const blocked = await blocker(observer, (tx) => sql`select * from sign_on_password_links for update`.execute(tx));
      const changing = browser.submit(form, { old_password: PASSWORD, password: ANOTHER, password_again: ANOTHER });
      await waitForLocks(observer, 1);
      const ending = other.people.endSessions({ key: { $case: "personId", value: world.personId } });
      await waitsOrEnded(2, ending);
      await blocked.end();
      await Promise.all([changing, ending]);
      expect(await deadlocks()).toBe(0);
    });

    it.each<["sign_on_sessions" | "sign_on_families", string, () => Promise<unknown>]>([
      [
        "sign_on_sessions",
        "person_id = person_id",
        async () => {
          await signedIn();
          await signedIn();
        },
      ],
      [
        "sign_on_families",
        "claims = claims",
        async () => {
          for (let count = 0; count < 2; count++) {
            const code = await obtainCode(signOn.url, world, { scope: "openid offline_access" });
            expect((await redeem(signOn.url, world, code)).status).toBe(200);
          }
          // Tokens outlive the sessions, by whose rows two ends would take turns.
          await sql`update sign_on_sessions set ended_at = 1`.execute(signOn.db);
        },
      ],
    ])("two ends of all sessions, which find rows of %s in another order (R-S20)", async (table, same, begin) => {
      await begin();
      const scanning = await openScanning(table, same);
      const blocked = await blockAtRowOf(table);
      const key = { $case: "personId", value: world.personId } as const;
      const ending = [signOn.people.endSessions({ key }), scanning.people.endSessions({ key })];
      await waitForLocks(observer, 2);
      await blocked.end();
      await Promise.all(ending);
      expect(await deadlocks()).toBe(0);
    });

    it("a sign-in that takes over what a removed session issued, and the end of all (R-X117, R-S20)", async () => {
      const browser = await signedIn();
      for (let count = 0; count < 2; count++) {
        const left = await signIn(browser, authorizePath(world), world);
        expect((await redeem(signOn.url, world, left.searchParams.get("code") ?? "")).status).toBe(200);
      }
      await sql`delete from sign_on_sessions`.execute(signOn.db);
      const scanning = await openScanning("sign_on_families", "claims = claims");
      const there = new Browser(scanning.url);
      for (const [name, value] of browser.cookies) there.cookies.set(name, value);
      const login = await there.follow(authorizePath(world));
      const blocked = await blockAtRowOf("sign_on_families");
      const entering = there.submit(login.answer, { email: world.email, password: PASSWORD });
      await waitForLocks(observer, 1);
      const ending = other.people.endSessions({ key: { $case: "personId", value: world.personId } });
      await waitsOrEnded(2, ending);
      await blocked.end();
      await Promise.all([entering, ending]);
      expect(await deadlocks()).toBe(0);
    });

    it("a password that is set by a link, and one by an operator (S18)", async () => {
      const browser = new Browser(other.url);
      const { answer } = await browser.follow(await newLink());
      const blocked = await blockAtRowOf("sign_on_credentials");
      const setting = signOn.signOn.setPassword({ personId: world.personId, password: ANOTHER });
      await waitForLocks(observer, 1);
      const submitting = browser.submit(answer, { password: PASSWORD, password_again: PASSWORD });
      await waitForLocks(observer, 2);
      await blocked.end();
      await setting;
      expect((await submitting).answer.text).toContain("no longer");
      expect(await deadlocks()).toBe(0);
    });

    it("an erasure of a person, and a password that is set for them (R-X260)", async () => {
      await signedIn();
      const blocked = await blockAtRowOf("sign_on_credentials");
      const setting = signOn.signOn.setPassword({ personId: world.personId, password: ANOTHER });
      await waitForLocks(observer, 1);
      const forgetting = erasing();
      await waitForLocks(observer, 2);
      await blocked.end();
      await Promise.all([setting, forgetting]);
      const left = signOn.db.selectFrom("sign_on_credentials").select("person_id");
      expect(await left.execute()).toEqual([]);
      expect(await deadlocks()).toBe(0);
    });

    it("an erasure of a person, and an access that they withdraw while their session ends (R-X260)", async () => {
      const code = await obtainCode(signOn.url, world, { scope: "openid offline_access" });
      expect((await redeem(signOn.url, world, code)).status).toBe(200);
      const browser = await signedIn();
      const page = await browser.open("/auth/account");
      expect(page.text).toContain('value="withdraw"');
      const ended = await blocker(observer, (tx) => sql`update sign_on_sessions set ended_at = 1`.execute(tx));
      const consent = await blocker(observer, (tx) => sql`select * from sign_on_consents for update`.execute(tx));
      const access = { application: world.application.id, instance: world.instanceId };
      const form = { form_token: tokenOf(page), action: "withdraw", ...access };
      const withdrawing = browser.follow("/auth/account", { form });
      await waitForLocks(observer, 1);
      const families = await blockAtRowOf("sign_on_families");
      await ended.end();
      await waitForLocks(observer, 1);
      const forgetting = erasing();
      await waitForLocks(observer, 2);
      await consent.end();
      await waitForLocks(observer, 2);
      await families.end();
      await Promise.all([withdrawing, forgetting]);
      expect(await signOn.db.selectFrom("sign_on_consents").selectAll().execute()).toEqual([]);
      expect(await deadlocks()).toBe(0);
    });
  });
});
