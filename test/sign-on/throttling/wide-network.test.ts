import { authorizePath, Browser, signIn } from "../../support/browser.ts";
import { eventually } from "../../support/eventually.ts";
import { withScope } from "../../support/scope.ts";
import { makeWorld, PASSWORD, type World } from "../../support/world.ts";
import { embeddedStore, openSignOn, type SignOn, type SignOnOptions } from "../sign-on-fixture.ts";

/** One sender who has an IPv6 network of 48 bits, and with it 65,536 networks of 64 bits. */
const ofWideNetwork = (index: number): string => `2001:db8:7:${(index + 1).toString(16)}::9`;

describe("a sender with all networks of a wide one (R-X436)", () => {
  withScope((closeLater) => {
    async function opened(settings: NonNullable<SignOnOptions["settings"]>) {
      const store = await embeddedStore(closeLater);
      const signOn = await openSignOn(store, closeLater, { settings, trustedProxies: ["127.0.0.1"] });
      return { signOn, world: await makeWorld(signOn) };
    }
    const browserAt = ({ url }: SignOn, address: string) =>
      new Browser(url, { headers: { "x-forwarded-for": address } });
    const atLogin = async (signOn: SignOn, world: World, address: string) => {
      const browser = browserAt(signOn, address);
      return { browser, page: (await browser.follow(authorizePath(world))).answer };
    };

    it("does not keep others from their turn for a password's hash", async () => {
      const { signOn, world } = await opened({
        "password-hash-concurrency": 1,
        "password-hash-queue": 4,
        "password-memory-kib": 65_536,
        "password-passes": 3,
      });
      const person = await atLogin(signOn, world, "192.0.2.7");
      const strangers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => atLogin(signOn, world, ofWideNetwork(index))),
      );
      const words = { email: world.email, password: PASSWORD };
      const flood = strangers.map(({ browser, page }) => browser.submit(page, words));
      const depth = async () =>
        (await signOn.metrics.getSingleMetric("gatehouse_password_hash_queue_depth")?.get())?.values[0]?.value;
      await eventually(depth, (waiting) => waiting === 4);
      const { path } = await person.browser.submit(person.page, words);
      expect(path).toMatch(/^\/auth\/consent/);
      const ends = (await Promise.all(flood)).map(({ answer }) => answer.status);
      expect(new Set(ends)).toEqual(new Set([200, 503]));
    });

    it("does not displace the open sign-ins of others", async () => {
      const { signOn, world } = await opened({ "sign-ins-unproven": 100, "sign-ins-unproven-per-network": 50 });
      const browser = browserAt(signOn, "192.0.2.7");
      const sent = await browser.open(authorizePath(world));
      for (let index = 0; index < 150; index++)
        await browserAt(signOn, ofWideNetwork(index)).open(authorizePath(world));
      const login = await browser.open(sent.headers.get("location") ?? "");
      const { path } = await browser.submit(login, { email: world.email, password: PASSWORD });
      expect(path).toMatch(/^\/auth\/consent/);
      const stored = await signOn.db.selectFrom("sign_on_interactions").select("id").execute();
      expect(stored).toHaveLength(100);
    });

    it("waits after failures, whatever the e-mail addresses and its networks; others do not", async () => {
      const { signOn, world } = await opened({ "sign-in-failures-per-network": 1 });
      const statuses: number[] = [];
      for (let index = 0; index < 12; index++) {
        const { browser, page } = await atLogin(signOn, world, ofWideNetwork(index));
        const wrong = { email: `p${index}@harbour.example`, password: "incorrect horse battery staple" };
        statuses.push((await browser.submit(page, wrong)).answer.status);
      }
      expect(statuses).toEqual([...Array(11).fill(400), 429]);
      const left = await signIn(browserAt(signOn, "2001:db8:8::9"), authorizePath(world), { email: world.email });
      expect(left.searchParams.has("code")).toBe(true);
      const { browser, page } = await atLogin(signOn, world, ofWideNetwork(77));
      const refused = await browser.submit(page, { email: world.email, password: PASSWORD });
      expect([refused.answer.status, refused.answer.headers.get("retry-after")]).toEqual([429, "10"]);
      signOn.clock.step(10_000);
      const again = await browser.submit(page, { email: world.email, password: PASSWORD });
      expect(again.left?.searchParams.has("code")).toBe(true);
    });
  });
});
