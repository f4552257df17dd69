import { eachStore, type OpenStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";
import { update } from "../subscriptions/subscription-requests.ts";
import { ACKNOWLEDGED, type KitOptions, openKit, type WebhooksKit } from "../webhooks-kit.ts";

/** Places of a host. */
const PLACES = 4;
const FORMER = "https://former.example/in";
const PRESENT = "https://present.example/in";

/** A subscription that moves to another host while some of its deliveries are ready, and others are made behind the move. */
async function moved(open: OpenStore, more: KitOptions = {}): Promise<WebhooksKit> {
  const kit = await openKit(open, {
    ...more,
    flags: { "webhook-concurrency-per-endpoint": String(PLACES) },
  });
  const { id } = await kit.subscribe({ endpointUrl: FORMER });
  await kit.emit(...Array.from({ length: PLACES }, () => ({})));
  await kit.relay();
  await kit.subscriptions.updateSubscription(update(id, { endpointUrl: PRESENT, skipPing: true }));
  await kit.emit(...Array.from({ length: PLACES }, () => ({})));
  await kit.relay();
  return kit;
}

/** What the worker gets until there is nothing more for it. */
async function claimAll(kit: WebhooksKit) {
  const claimed = [];
  for (let idle = 0; idle < 2; ) {
    const more = await kit.claim();
    claimed.push(...more);
    idle = more.length === 0 ? idle + 1 : 0;
  }
  return claimed;
}

eachStore((_, open) => {
  describe("deliveries that wait when their endpoint moves to another host", () => {
    it("take places of that host, beside what was made since (R-X305)", async () => {
      const kit = await moved(open);
      const claimed = await claimAll(kit);
      expect(claimed.map(({ endpointUrl }) => endpointUrl)).toEqual(Array(PLACES).fill(PRESENT));
    });

    it("are all sent, with no attempt more", async () => {
      const kit = await moved(open);
      for (let claimed = await claimAll(kit); claimed.length > 0; claimed = await claimAll(kit)) {
        expect(claimed.map(({ attemptNumber }) => attemptNumber)).toEqual(claimed.map(() => 1));
        for (const one of claimed) await kit.record(one, ACKNOWLEDGED);
      }
      expect((await kit.deliveries()).map(({ state, attempts }) => [state, attempts])).toEqual(
        Array(2 * PLACES).fill(["delivered", ["acknowledged"]]),
      );
    });

    it("take places of that host too, where an engine outside the store drives their retries (R-X75)", async () => {
      const kit = await openKit(open, {
        retries: "temporal",
        flags: { "webhook-concurrency-per-endpoint": "1", "webhook-attempt-delays": "1m,60m" },
      });
      const { id } = await kit.subscribe({ endpointUrl: FORMER });
      const failed = await kit.claimOne();
      await kit.record(failed);
      await kit.subscriptions.updateSubscription(update(id, { endpointUrl: PRESENT, skipPing: true }));
      expect((await kit.claimOne()).endpointUrl).toBe(PRESENT);
      kit.clock.step(2 * 60_000);
      const round = { deliveryId: failed.deliveryId, round: 1 };
      const { attempt, standing } = await kit.dispatch.claimOne({ round, now: false });
      expect([attempt ?? undefined, present(standing).kind]).toEqual([undefined, "STANDING_KIND_CROWDED"]);
    });
  });

  describe("two endpoints of one host", () => {
    it("share its places, though the name of one has a full stop behind it (R-X278, R-X305)", async () => {
      const kit = await openKit(open, {
        flags: { "webhook-concurrency-per-endpoint": String(PLACES) },
      });
      await kit.subscribe({ endpointUrl: "https://hooks.example/in" });
      await kit.subscribe({ endpointUrl: "https://hooks.example.:443/in" });
      await kit.emit(...Array.from({ length: PLACES }, () => ({})));
      await kit.relay();
      expect(await claimAll(kit)).toHaveLength(PLACES);
    });
  });
});
