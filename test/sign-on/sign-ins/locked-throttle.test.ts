import { answeredBesidesALock, MANY_CALLS } from "../../support/besides-a-lock.ts";
import { authorizePath, Browser, signIn } from "../../support/browser.ts";
import { onPostgres } from "../../support/stores.ts";
import { makeWorld } from "../../support/world.ts";
import { openSignOn, signOnSets } from "../sign-on-fixture.ts";

/** Many more than the test makes. */
const FAILURES = 1_000;

onPostgres((open, closeLater) => {
  it("sign-ins that wait for a network's count, which a paused process has locked, leave connections for others (R-X411)", async () => {
    const opened = await open(signOnSets);
    const settings = { "sign-in-failures-per-network": FAILURES };
    const signOn = await openSignOn(opened, closeLater, { settings });
    const world = await makeWorld(signOn);
    const signedIn = new Browser(signOn.url);
    await signIn(signedIn, authorizePath(world), { email: world.email });
    const failing = await Promise.all(
      Array.from({ length: MANY_CALLS }, async (_, index) => {
        const browser = new Browser(signOn.url);
        const { answer } = await browser.follow(authorizePath(world));
        return () => browser.submit(answer, { email: `nobody${index}@example.com`, password: "not the password" });
      }),
    );
    await failing[0]?.();
    const besides = await answeredBesidesALock({
      holder: await opened.again(),
      lock: "select * from sign_on_throttles for update",
      calls: () => failing.map((fail) => fail()),
      asked: async () => expect((await signedIn.follow(authorizePath(world))).left).toBeDefined(),
    });
    expect(besides).toEqual({ asked: "fulfilled", calls: Array(MANY_CALLS).fill("fulfilled") });
  });
});
