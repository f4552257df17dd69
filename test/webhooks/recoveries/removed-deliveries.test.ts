import { eachStore } from "../../support/stores.ts";
import { ACKNOWLEDGED, openKit, type WebhooksKit } from "../webhooks-kit.ts";
import { answerAll, drive, driveUntilFull, exhaust, shown, start } from "./recovery-kit.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

eachStore((_, open) => {
  describe("a recovery that is paused while its deliveries are removed by their age (R-X283)", () => {
    async function answerWhatIsSent(kit: WebhooksKit, outcome: Parameters<WebhooksKit["record"]>[1]): Promise<void> {
      for (let sent = -1; sent !== 0; ) {
        await driveUntilFull(kit);
        sent = (await answerAll(kit, outcome)).length;
      }
      await drive(kit);
    }

    it.each<[string, number, Readonly<Record<string, string>>]>([
      ["their bodies alone", 35, {}],
      ["whole", 95, {}],
      ["whole, where deliveries are kept as long as bodies", 8, { "webhook-delivery-days": "7" }],
    ])("counts as removed what it can no longer send: %s", async (_name, days, flags) => {
      const kit = await openKit(open, { flags });
      const { id } = await kit.subscribe();
      await exhaust(kit, 30);
      kit.clock.step(1_000);
      const recovery = await start(kit, id);
      await answerWhatIsSent(kit, {});
      const failed = { matched: 30, sent: 20, acknowledged: 0, failed: 20 };
      expect(await shown(kit, recovery)).toEqual({ state: "paused", reason: "endpoint_failing", ...failed });

      kit.clock.step(days * DAY_MS);
      await kit.sweep();
      await kit.operator.resumeRecovery({ recoveryId: recovery });
      await answerWhatIsSent(kit, ACKNOWLEDGED);
      expect(await shown(kit, recovery)).toEqual({ state: "finished", ...failed, bodyRemoved: 10 });
    });

    it("counts what was acknowledged, though it was old enough to be removed before that is counted (R-X236)", async () => {
      const flags = { "webhook-delivery-days": "7" };
      const kit = await openKit(open, { flags });
      const { id } = await kit.subscribe();
      await exhaust(kit, 3);
      const recovery = await start(kit, id);
      await driveUntilFull(kit);
      kit.clock.step(8 * DAY_MS);
      await answerAll(kit);
      await kit.sweep();
      await drive(kit);
      expect(await shown(kit, recovery)).toEqual({
        ...{ state: "finished", matched: 3, sent: 3, acknowledged: 3, failed: 0 },
      });
      await kit.sweep();
      expect(await kit.deliveries()).toEqual([]);
    });

    it("counts none of those that others have sent again, as long as no delivery of it can be that old", async () => {
      const kit = await openKit(open);
      const { id } = await kit.subscribe();
      await exhaust(kit, 30);
      kit.clock.step(1_000);
      const recovery = await start(kit, id);
      await answerWhatIsSent(kit, {});
      const last = (await kit.deliveries()).at(-1);
      await kit.operator.resendDelivery({ deliveryId: last?.id ?? "" });
      await answerAll(kit);

      kit.clock.step(DAY_MS);
      await kit.operator.resumeRecovery({ recoveryId: recovery });
      await answerWhatIsSent(kit, ACKNOWLEDGED);
      expect(await shown(kit, recovery)).toEqual({
        state: "finished",
        matched: 29,
        sent: 29,
        acknowledged: 9,
        failed: 20,
      });
    });
  });
});
