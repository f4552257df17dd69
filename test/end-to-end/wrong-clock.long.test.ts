import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { SigningKeysService } from "../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { StoreService } from "../../generated/proto/gatehouse/store/v1/store.ts";
import { storePath } from "../../src/runtime/database/sqlite/store-file.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { authorizePath, Browser, redeem, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { TEST_MASTER_KEY } from "../support/gatehouse.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { onPostgres } from "../support/stores.ts";
import { makeWorld, present } from "../support/world.ts";

const DAY_MS = 86_400_000;
const SHIFTED_CLOCK = join(import.meta.dirname, "..", "support", "shifted-clock.mjs");
const SHIFTED_STORE_CLOCK = join(import.meta.dirname, "..", "support", "shifted-store-clock.mjs");
const KEPT = ["audit_entries", "sign_on_sessions", "sign_on_families", "webhooks_events"] as const;

/** A person is signed in, and an application has tokens: the browser. */
async function useIt(gatehouse: ProcessGatehouse): Promise<Browser> {
  const world = await makeWorld(gatehouse);
  const browser = new Browser(gatehouse.url);
  const back = await signIn(browser, authorizePath(world, { scope: "openid offline_access" }), { email: world.email });
  await redeem(gatehouse.url, world, present(back.searchParams.get("code")));
  return browser;
}

describe("the embedded store under a clock that is wrong for a moment", () => {
  withScope((closeLater) => {
    it("loses nothing that is kept, and says by which time it removes until the clock is right (R-X370)", async () => {
      const gatehouse = await openProcesses(closeLater);
      const operator = socketCarrier(join(gatehouse.dataDirectory, "sockets", "operator.sock"));
      closeLater(() => operator.close());
      const removedAsOf = async () =>
        (await operator.connect(StoreService).getStatus({}, { deadlineMs: 60_000 })).removedAsOf ?? undefined;
      const count = (): readonly number[] => {
        const store = new BetterSqlite3(storePath(gatehouse.dataDirectory), { readonly: true });
        const counts = KEPT.map((table) =>
          store.prepare<[], number>(`select count(*) from ${table}`).pluck().get(),
        ).map(present);
        store.close();
        return counts;
      };
      const browser = await useIt(gatehouse);
      const before = await eventually(
        async () => count(),
        (counts) => !counts.includes(0),
      );
      await gatehouse.stop();
      const stoppedAt = Date.now();

      await gatehouse.restart("all", {
        nodeFlags: ["--import", SHIFTED_CLOCK],
        environment: { TEST_CLOCK_MS: String(500 * DAY_MS) },
      });
      // Every sweep begins with the start.
      await sleep(2_000);
      const after = count();
      expect(before).not.toContain(0);
      expect(KEPT.filter((_, index) => present(after[index]) < present(before[index]))).toEqual([]);
      expect(present(await removedAsOf()).getTime()).toBeLessThan(stoppedAt + DAY_MS / 2);
      await gatehouse.stop();

      await gatehouse.restart("all");
      expect(await removedAsOf()).toBeUndefined();
      expect((await browser.open("/auth/account")).status).toBe(200);
    });

    it("moves no signing key on, so that the next rotation is not dated by it (R-X390, R-S13)", async () => {
      const gatehouse = await openProcesses(closeLater);
      const operator = socketCarrier(join(gatehouse.dataDirectory, "sockets", "operator.sock"));
      closeLater(() => operator.close());
      const keys = async () => {
        const { keys: listed } = await operator
          .connect(SigningKeysService)
          .listSigningKeys({ retired: false }, { deadlineMs: 60_000 });
        return listed.map(({ keyId, state, activatedAt }) => ({ keyId, state, activatedAt }));
      };
      const before = await eventually(keys, ({ length }) => length === 4);
      await gatehouse.stop();

      await gatehouse.restart("all", {
        nodeFlags: ["--import", SHIFTED_CLOCK],
        environment: { TEST_CLOCK_MS: String(500 * DAY_MS) },
      });
      // The first look at the keys comes with the start.
      await sleep(2_000);
      expect(await keys()).toEqual(before);
    });
  });
});

onPostgres((open) => {
  describe("PostgreSQL on a machine whose clock is wrong for a moment", () => {
    withScope((closeLater) => {
      it("loses nothing that is kept, and no signing key moves on (R-X370, R-X390)", async () => {
        const { location: storeUrl } = await open();
        const gatehouse = await openProcesses(closeLater, {
          flags: { "store-url": storeUrl, "master-keys": TEST_MASTER_KEY },
        });
        const client = new pg.Client({ connectionString: storeUrl });
        await client.connect();
        closeLater(() => client.end());
        const counted = [...KEPT, "sign_on_signing_keys"].map((table) => `(select count(*) from ${table}) as ${table}`);
        const count = async (): Promise<Readonly<Record<string, number>>> =>
          (await client.query(`select ${counted.join(", ")}`)).rows[0];
        const browser = await useIt(gatehouse);
        const before = await eventually(
          count,
          ({ sign_on_signing_keys: keys, ...kept }) => keys === 4 && !Object.values(kept).includes(0),
        );
        await gatehouse.stop();

        await gatehouse.restart("all", {
          nodeFlags: ["--import", SHIFTED_STORE_CLOCK],
          environment: { TEST_CLOCK_MS: String(500 * DAY_MS) },
        });
        // Every sweep, and the first look at the keys, come with the start.
        await sleep(2_000);
        expect(await count()).toEqual(before);
        await gatehouse.stop();

        await gatehouse.restart("all");
        expect((await browser.open("/auth/account")).status).toBe(200);
      });
    });
  });
});
