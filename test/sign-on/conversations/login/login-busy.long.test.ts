import { authorizePath, Browser, obtainCode, redeem } from "../../../support/browser.ts";
import { withScope } from "../../../support/scope.ts";
import { PASSWORD, present } from "../../../support/world.ts";
import { describeSignOn, openSignOn } from "../../sign-on-fixture.ts";

describeSignOn(
  "POST /auth/login while too many passwords are being checked (S16)",
  (scene) => {
    it("is 503 with Retry-After and a way to try again; accepted sign-ins are unaffected", async () => {
      const { signOn, world } = scene();
      const browsers = Array.from({ length: 8 }, () => new Browser(signOn.url));
      const pages = await Promise.all(browsers.map((browser) => browser.follow(authorizePath(world))));
      const words = { email: world.email, password: PASSWORD };
      const ends = await Promise.all(
        browsers.map((browser, index) => browser.submit(present(pages[index]).answer, words)),
      );
      const busy = ends.filter(({ answer }) => answer.status === 503);
      const through = ends.filter(({ path }) => path.startsWith("/auth/consent"));
      expect(through.length).toBeGreaterThanOrEqual(1);
      expect(busy.length).toBeGreaterThanOrEqual(1);
      expect(busy.length + through.length).toBe(8);
      expect(new Set(busy.map(({ answer }) => answer.headers.get("retry-after")))).toEqual(new Set(["2"]));
      const [refused] = busy;
      expect(refused?.answer.text).toContain("We cannot continue at the moment");
      expect(refused?.answer.text).toContain(`href="${refused?.path}"`);
      const again = browsers[ends.indexOf(present(refused))] as Browser;
      const retried = await again.follow(present(refused).path);
      expect((await again.submit(retried.answer, words)).path).toMatch(/^\/auth\/consent/);
    });
  },
  {
    settings: {
      "password-hash-concurrency": 1,
      "password-hash-queue": 1,
      "password-memory-kib": 65_536,
      "password-passes": 3,
    },
  },
);

describeSignOn("POST /auth/token while a flood of sign-ins waits for its hashes (S16, R-X88)", (scene) => {
  withScope((closeLater) => {
    it("answers at once: application secrets are no passwords, and wait for none", async () => {
      const { signOn: cheap, world } = scene();
      // A sign-in there is in time on a busy machine too, whatever a hash costs here.
      const code = await obtainCode(cheap.url, world);
      const { opened, clock, issuer } = cheap;
      const settings = { "password-hash-concurrency": 1, "password-memory-kib": 65_536, "password-passes": 12 };
      const signOn = await openSignOn(opened, closeLater, { clock, issuer, settings });
      const browsers = Array.from({ length: 3 }, () => new Browser(signOn.url));
      const pages = await Promise.all(browsers.map((browser) => browser.follow(authorizePath(world))));
      const under = { way: browsers.length };
      const flood = browsers.map((browser, index) =>
        browser
          .submit(present(pages[index]).answer, { email: world.email, password: PASSWORD })
          .finally(() => under.way--),
      );
      const tokens = await redeem(signOn.url, world, code);
      const underWay = under.way;
      await Promise.all(flood);
      expect([tokens.status, underWay]).toEqual([200, 3]);
    });
  });
});
