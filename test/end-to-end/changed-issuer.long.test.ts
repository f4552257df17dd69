import { authorizePath, Browser, exchange, redeem, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { call } from "../support/http.ts";
import { openProcesses } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld, present } from "../support/world.ts";

const FLAGS = { "log-level": "warn" };

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

describe("a store that is served under another issuer", () => {
  withScope((closeLater) => {
    it("says so at the start; refresh tokens are good for new tokens, access tokens of the former one are not (R-X364)", async () => {
      const before = await openProcesses(closeLater, { flags: FLAGS });
      const world = await makeWorld(before);
      const path = authorizePath(world, { scope: "openid offline_access" });
      const left = await signIn(new Browser(before.url), path, world);
      const tokens = (await redeem(before.url, world, present(left.searchParams.get("code")))).json<Tokens>();
      expect(present(before.programs.all).output()).not.toContain("served under");
      await before.stop();

      const after = await openProcesses(closeLater, { flags: FLAGS, dataDirectory: before.dataDirectory });
      const output = await eventually(
        async () => present(after.programs.all).output(),
        (written) => written.includes("The issuer is not the one that this store was served under."),
      );
      expect(output).toContain(`${before.url}, now ${after.url}`);
      const userinfo = async ({ access_token }: Tokens) =>
        (await call(after.url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } })).status;
      expect(await userinfo(tokens)).toBe(401);
      const { refresh_token } = tokens;
      const renewed = await exchange(after.url, world, { grant_type: "refresh_token", refresh_token });
      expect(renewed.status).toBe(200);
      expect(await userinfo(renewed.json<Tokens>())).toBe(200);
    });
  });
});
