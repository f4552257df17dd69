import { Agent } from "node:http";
import { sql } from "kysely";
import type { SignOnTables } from "../../../../src/sign-on/tables.ts";
import { authorizePath, Browser, signIn } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import { withScope } from "../../../support/scope.ts";
import { makeWorld, PASSWORD } from "../../../support/world.ts";
import { embeddedStore, openSignOn, withPerson } from "../../sign-on-fixture.ts";

const PER_NETWORK = 30;

describe("a flood of authorization requests (R-X154)", () => {
  withScope((closeLater) => {
    let signOn: Awaited<ReturnType<typeof openSignOn>>;
    let world: Awaited<ReturnType<typeof makeWorld>>;

    beforeEach(async () => {
      const opened = await embeddedStore(closeLater);
      signOn = await openSignOn(opened, closeLater, { settings: { "sign-ins-unproven-per-network": PER_NETWORK } });
      world = await makeWorld(signOn);
    });

    /** Requests of strangers who share one address that is not ours. */
    const flood = async (count: number, init: { readonly form?: readonly (readonly [string, string])[] }) => {
      const agent = new Agent({ localAddress: "127.0.0.2", keepAlive: true, maxSockets: 10 });
      const path = init.form === undefined ? authorizePath(world) : "/auth/authorize";
      const answers = await Promise.all(
        Array.from({ length: count }, () => call(signOn.url, path, { ...init, agent })),
      );
      agent.destroy();
      return [...new Set(answers.map(({ status }) => status))];
    };
    const stored = async () => {
      const rows = await signOn.opened.store
        .view<SignOnTables>()
        .selectFrom("sign_on_interactions")
        .select("id")
        .execute();
      return rows.length;
    };

    it("leaves as many as one network may have, while people elsewhere go on and sign in", async () => {
      const form = [...new URL(authorizePath(world), "http://any").searchParams] as (readonly [string, string])[];
      const person = await withPerson(signOn, world, "meanwhile@harbour.example");
      const browser = new Browser(signOn.url);
      const login = await browser.follow(authorizePath(person));
      expect(await flood(3 * PER_NETWORK, { form })).toEqual([303]);
      expect(await flood(PER_NETWORK, {})).toEqual([302]);
      expect(await stored()).toBe(PER_NETWORK + 1);
      const consent = await browser.submit(login.answer, { email: person.email, password: PASSWORD });
      const { left } = await browser.submit(consent.answer, { decision: "approve" });
      expect(left?.searchParams.has("code")).toBe(true);
      expect(await stored()).toBe(PER_NETWORK + 1);
    });

    it("leaves no more after requests that could not be stored", async () => {
      const db = signOn.opened.store.view();
      await flood(PER_NETWORK, {});
      const before = await stored();
      await sql`
        create trigger refuses before insert on sign_on_interactions begin select raise(abort, 'no'); end
      `.execute(db);
      await flood(PER_NETWORK, {});
      await sql`drop trigger refuses`.execute(db);
      expect(await stored()).toBe(before);
      expect(await flood(PER_NETWORK, {})).toEqual([302]);
      expect(await stored()).toBe(before);
    });

    it("does not count those who have entered a password: a company behind one address signs in one after the other", async () => {
      for (let index = 0; index < 3; index++) {
        const person = await withPerson(signOn, world, `colleague-${index}@harbour.example`);
        for (let tab = 0; tab < PER_NETWORK / 2; tab++) await call(signOn.url, authorizePath(person));
        const left = await signIn(new Browser(signOn.url), authorizePath(person), { email: person.email });
        expect(left.searchParams.has("code")).toBe(true);
      }
    });

    it("shows the page of a sign-in that has ended to the person whose was given up", async () => {
      const browser = new Browser(signOn.url);
      const sent = await browser.open(authorizePath(world));
      for (let index = 0; index < PER_NETWORK; index++) await call(signOn.url, authorizePath(world));
      const page = await browser.open(sent.headers.get("location") ?? "");
      expect(page.text).toContain("This sign-in has ended");
    });

    it("leaves those who have entered the password at another process, where others may wait as long for theirs", async () => {
      const opened = await embeddedStore(closeLater);
      const settings = { "sign-ins-unproven-per-network": PER_NETWORK, "sign-in-unproven-minutes": 60 };
      const one = await openSignOn(opened, closeLater, { settings });
      const other = await openSignOn(opened, closeLater, { settings });
      const person = await makeWorld(one);
      const [before, browser] = [new Browser(one.url), new Browser(other.url)];
      const sent = await before.open(authorizePath(person));
      for (const [name, value] of before.cookies) browser.cookies.set(name, value);
      const login = await browser.follow(sent.headers.get("location") ?? "");
      const consent = await browser.submit(login.answer, { email: person.email, password: PASSWORD });
      expect(consent.answer.text).toContain('name="decision"');
      for (let index = 0; index < PER_NETWORK; index++) await call(one.url, authorizePath(person));
      const { left } = await browser.submit(consent.answer, { decision: "approve" });
      expect(left?.searchParams.has("code")).toBe(true);
    });

    it("leaves those at the same address their pages, once these were shown", async () => {
      const person = await withPerson(signOn, world, "neighbour@harbour.example");
      const browser = new Browser(signOn.url);
      const login = await browser.follow(authorizePath(person));
      for (let index = 0; index < 3 * PER_NETWORK; index++) await call(signOn.url, authorizePath(world));
      const consent = await browser.submit(login.answer, { email: person.email, password: PASSWORD });
      const { left } = await browser.submit(consent.answer, { decision: "approve" });
      expect(left?.searchParams.has("code")).toBe(true);
    });
  });
});
