import { rm } from "node:fs/promises";
import { join } from "node:path";
import { authorizePath, Browser, exchange, redeem, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { TEST_MASTER_KEY, testFlags } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { newStoreFolder } from "../support/memory.ts";
import { startProgram } from "../support/processes.ts";
import { type Closer, withScope } from "../support/scope.ts";
import { onPostgres } from "../support/stores.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { connectPeers, makeWorld, newTenant, type Peers, present, type World } from "../support/world.ts";

const HOUR_MS = 3_600_000;
const SHIFTED_CLOCK = join(import.meta.dirname, "..", "support", "shifted-clock.mjs");

/** An installation whose machine's clock is wrong. */
interface Machine {
  readonly url: string;
  readonly managementUrl: string;
  readonly peers: Peers;
}

async function startMachine(
  closeLater: (closer: Closer) => void,
  { storeUrl, issuer, shiftMs }: { readonly storeUrl: string; readonly issuer: string; readonly shiftMs: number },
): Promise<Machine> {
  const directory = await newStoreFolder("gh-");
  closeLater(() => rm(directory, { recursive: true, force: true }));
  const [publicPort, managementPort] = [await freePort(), await freePort()];
  const flags = {
    ...testFlags(publicPort, managementPort, directory),
    issuer,
    "store-url": storeUrl,
    "master-keys": TEST_MASTER_KEY,
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const program = startProgram(["serve", ...words], managementPort, {
    nodeFlags: ["--import", SHIFTED_CLOCK],
    environment: { TEST_CLOCK_MS: String(shiftMs) },
  });
  closeLater(async () => void (await program.end("SIGKILL")));
  await program.ready();
  const peers = connectPeers(join(directory, "sockets"));
  closeLater(() => peers.close());
  return { url: `http://localhost:${publicPort}`, managementUrl: program.managementUrl, peers };
}

onPostgres((open) => {
  describe("two machines over one store, their clocks two hours apart (decision 0035)", () => {
    withScope((closeLater) => {
      let ahead: Machine;
      let behind: Machine;
      let world: World;

      beforeAll(async () => {
        const { location: storeUrl } = await open();
        const issuer = `http://localhost:${await freePort()}`;
        ahead = await startMachine(closeLater, { storeUrl, issuer, shiftMs: HOUR_MS });
        behind = await startMachine(closeLater, { storeUrl, issuer, shiftMs: -HOUR_MS });
        world = await makeWorld(ahead.peers);
      }, 90_000);

      it.each([
        ["the one that is ahead", () => ({ signsIn: ahead, redeems: behind })],
        ["the one that is behind", () => ({ signsIn: behind, redeems: ahead })],
      ])("a sign-in at %s works with its code, refresh and userinfo at the other", async (_, machines) => {
        const { signsIn, redeems } = machines();
        const path = authorizePath(world, { scope: "openid offline_access" });
        const back = await signIn(new Browser(signsIn.url), path, { email: world.email });
        const first = await redeem(redeems.url, world, present(back.searchParams.get("code")));
        const { refresh_token } = first.json<{ refresh_token: string }>();
        const again = await exchange(signsIn.url, world, { grant_type: "refresh_token", refresh_token });
        const { access_token: token } = again.json<{ access_token: string }>();
        const userinfo = await call(redeems.url, "/auth/userinfo", { headers: { authorization: `Bearer ${token}` } });
        expect([first.status, again.status, userinfo.status]).toEqual([200, 200, 200]);
        expect(userinfo.json()).toMatchObject({ sub: world.personId });
      });

      it("events written at both reach a subscription made at either, each by one POST", async () => {
        const receiver = await startWebhookReceiver();
        closeLater(() => receiver.stop());
        await subscribe({ webhooks: ahead.peers.webhooks }, world, receiver, { eventTypes: ["client.created"] });
        const made: string[] = [];
        for (const { peers } of [behind, ahead, behind, ahead]) {
          made.push(await newTenant(peers, world.instanceId, `Tenant ${made.length}`));
        }
        const list = async () => (await behind.peers.webhooks.listDeliveries({ states: [], limit: 50 })).deliveries;
        const deliveries = await eventually(
          list,
          (all) => all.length === 4 && all.every(({ state }) => state === "DELIVERY_STATE_DELIVERED"),
        );
        expect(deliveries.map(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual(
          made.map(() => ["acknowledged"]),
        );
        expect(receiver.received.map(({ event }) => event.data.clientId).toSorted()).toEqual(made.toSorted());
      });

      it("each machine reports how far its clock is from the store's", async () => {
        const offsets = await Promise.all(
          [ahead, behind].map(async ({ managementUrl }) => {
            const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
            return Math.round(Number(/^gatehouse_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]) / 60);
          }),
        );
        expect(offsets).toEqual([60, -60]);
      });
    });
  });
});
