import { DELIVERIES_CHANNEL } from "../../src/webhooks/deliveries/delivery.ts";
import { RECOVERIES_CHANNEL } from "../../src/webhooks/recoveries/recovery.ts";
import { eachStore } from "../support/stores.ts";
import { present } from "../support/world.ts";
import { drive, exhaust, start } from "./recoveries/recovery-kit.ts";
import { openKit, type WebhooksKit } from "./webhooks-kit.ts";

eachStore((_, open) => {
  describe("what there is to do is announced, so that it does not wait for the next look", () => {
    let kit: WebhooksKit;
    let subscriptionId: string;
    beforeEach(async () => {
      kit = await openKit(open);
      ({ id: subscriptionId } = await kit.subscribe());
      await exhaust(kit, 2);
    });

    /** How often the channel was signalled meanwhile. */
    const signalled = async (channel: string, work: () => Promise<unknown>) => {
      const before = kit.opened.wake.ticket(channel);
      await work();
      return kit.opened.wake.ticket(channel) - before;
    };

    it("a ping", async () => {
      const ping = () => kit.subscriptions.pingSubscription({ subscriptionId, waitMs: 0 });
      expect(await signalled(DELIVERIES_CHANNEL, ping)).toBe(1);
    });

    it("a delivery that is sent again", async () => {
      const deliveryId = present((await kit.deliveries())[0]).id;
      expect(await signalled(DELIVERIES_CHANNEL, () => kit.operator.resendDelivery({ deliveryId }))).toBe(1);
    });

    it("a recovery that starts, is paused or goes on, and what it sends", async () => {
      let recoveryId = "";
      const acts = [
        async () => {
          recoveryId = await start(kit, subscriptionId);
        },
        () => kit.operator.pauseRecovery({ recoveryId }),
        () => kit.operator.resumeRecovery({ recoveryId }),
      ];
      for (const act of acts) expect(await signalled(RECOVERIES_CHANNEL, act)).toBe(1);
      // Counts first, then sends.
      expect(await signalled(DELIVERIES_CHANNEL, () => drive(kit))).toBe(0);
      expect(await signalled(DELIVERIES_CHANNEL, () => drive(kit))).toBe(1);
      expect(await kit.claim()).toHaveLength(2);
    });
  });
});
