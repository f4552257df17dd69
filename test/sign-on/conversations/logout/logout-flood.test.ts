import { Agent } from "node:http";
import { sql } from "kysely";
import { authorizePath, Browser, signIn } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import { withScope } from "../../../support/scope.ts";
import { makeWorld } from "../../../support/world.ts";
import { embeddedStore, openSignOn, withPerson } from "../../sign-on-fixture.ts";

const PER_NETWORK = 30;

describe("a flood of requests for sign-out (R-X355)", () => {
  withScope((closeLater) => {
    let signOn: Awaited<ReturnType<typeof openSignOn>>;
    let world: Awaited<ReturnType<typeof makeWorld>>;

    beforeEach(async () => {
      const opened = await embeddedStore(closeLater);
      signOn = await openSignOn(opened, closeLater, { settings: { "sign-ins-unproven-per-network": PER_NETWORK } });
      world = await makeWorld(signOn);
    });

    const form = () => [["client_id", world.application.id]] as const;
    /** Requests of strangers who share one address that is not ours; none of them has to be signed in. */
    const flood = async (count: number) => {
      const agent = new Agent({ localAddress: "127.0.0.2", keepAlive: true, maxSockets: 10 });
      const init = { method: "POST", form: form(), agent };
      const answers = await Promise.all(Array.from({ length: count }, () => call(signOn.url, "/auth/logout", init)));
      agent.destroy();
      return [...new Set(answers.map(({ status }) => status))];
    };
    const stored = async () => (await signOn.db.selectFrom("sign_on_logouts").select("id").execute()).length;
    /** Signs a person in, and asks for sign-out by POST. */
    const askedBy = async (email: string) => {
      const person = await withPerson(signOn, world, email);
      const browser = new Browser(signOn.url);
      const askAgain = async () => {
        await signIn(browser, authorizePath(person), { email: person.email });
        const sent = await browser.open("/auth/logout", { method: "POST", form: form() });
        return sent.headers.get("location") ?? "";
      };
      return { browser, path: await askAgain(), askAgain };
    };

    it("leaves as many as one network may have, while people elsewhere are asked and sign out", async () => {
      const { browser, path } = await askedBy("meanwhile@harbour.example");
      expect(await flood(3 * PER_NETWORK)).toEqual([303]);
      expect(await stored()).toBe(PER_NETWORK + 1);
      const question = await browser.open(path);
      expect(question.status).toBe(200);
      const { path: after } = await browser.submit(question, {});
      expect(after).toMatch(/^\/auth\/signed-out/);
      expect(await stored()).toBe(PER_NETWORK);
    });

    it("leaves no more after requests that could not be stored", async () => {
      await flood(PER_NETWORK);
      const before = await stored();
      await sql`
        create trigger refuses before insert on sign_on_logouts begin select raise(abort, 'no'); end
      `.execute(signOn.db);
      expect(await flood(PER_NETWORK)).toEqual([500]);
      await sql`drop trigger refuses`.execute(signOn.db);
      expect(await stored()).toBe(before);
      expect(await flood(PER_NETWORK)).toEqual([303]);
      expect(await stored()).toBe(before);
    });

    it("does not count those that are answered", async () => {
      const { browser, path } = await askedBy("patient@harbour.example");
      for (let index = 0; index < 2 * PER_NETWORK; index++) {
        const sent = await call(signOn.url, "/auth/logout", { method: "POST", form: form() });
        await call(signOn.url, sent.headers.get("location") ?? "");
      }
      expect((await browser.open(path)).status).toBe(200);
      const other = await askedBy("others@harbour.example");
      for (let index = 0; index < PER_NETWORK; index++) {
        await other.browser.submit(await other.browser.open(other.path), {});
        other.path = await other.askAgain();
      }
      expect((await browser.open(path)).status).toBe(200);
    });

    it("shows a person whose request gave way how to sign out", async () => {
      const { browser, path } = await askedBy("late@harbour.example");
      for (let index = 0; index < PER_NETWORK; index++)
        await call(signOn.url, "/auth/logout", { method: "POST", form: form() });
      const page = await browser.open(path);
      expect(page.status).toBe(400);
      expect(page.text).toContain('href="/auth/sign-out"');
    });
  });
});
