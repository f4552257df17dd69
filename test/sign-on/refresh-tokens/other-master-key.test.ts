import { obtainCode, redeem, exchange as send } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { makeWorld, type World } from "../../support/world.ts";
import type { Tokens } from "../conversations/token/token-kit.ts";
import { openSignOn, type SignOn, signOnSets, TEST_MASTER_KEY } from "../sign-on-fixture.ts";

const NEW_KEY = Buffer.alloc(32, 8);

eachStore((_, open) => {
  describe("a refresh token that was replaced where another master key is the first (R-X225, R-X353)", () =>
    withScope((closeLater) => {
      let before: SignOn;
      /** The process that was restarted with the new key first, as docs/operations/master-keys.md says. */
      let after: SignOn;
      let world: World;
      beforeEach(async () => {
        const opened = await open(signOnSets);
        before = await openSignOn(opened, closeLater, { masterKeys: [TEST_MASTER_KEY, NEW_KEY] });
        const { clock, issuer } = before;
        const masterKeys = [NEW_KEY, TEST_MASTER_KEY];
        after = await openSignOn(await opened.again(), closeLater, { clock, issuer, masterKeys });
        world = await makeWorld(before);
      });

      const refresh = (at: SignOn, { refresh_token }: Tokens) =>
        send(at.url, world, { grant_type: "refresh_token", refresh_token });
      const replaced = async () => {
        const first = (await redeem(before.url, world, await obtainCode(before.url, world))).json<Tokens>();
        return { first, second: (await refresh(before, first)).json<Tokens>() };
      };

      it("gets its successor again within the window (R-S10)", async () => {
        const { first, second } = await replaced();
        const again = await refresh(after, first);
        expect([again.status, again.json<Tokens>().refresh_token]).toEqual([200, second.refresh_token]);
        expect((await refresh(after, second)).status).toBe(200);
      });

      it("is theft after the window: its family ends (R-S10, RFC 9700 statement 21)", async () => {
        const { first, second } = await replaced();
        before.clock.step(30_000);
        expect((await refresh(after, first)).status).toBe(400);
        const headers = { authorization: `Bearer ${second.access_token}` };
        const ended = await call(after.url, "/auth/userinfo", { headers });
        expect([ended.status, (await refresh(after, second)).status]).toEqual([401, 400]);
      });
    }));
});
