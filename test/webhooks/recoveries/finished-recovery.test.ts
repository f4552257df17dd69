import { RecoveryState } from "../../../generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { eachStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";
import { ACKNOWLEDGED, INSTANCE_INTEGRATION_ID, openKit, type WebhooksKit } from "../webhooks-kit.ts";
import { answerAll, drive, driveUntilFull, exhaust, start } from "./recovery-kit.ts";

eachStore((_, open) => {
  describe("what is reported of a recovery that has ended (R-X315)", () => {
    let kit: WebhooksKit;
    let id: string;
    beforeEach(async () => {
      kit = await openKit(open);
      ({ id } = await kit.subscribe());
      await exhaust(kit, 2);
      await kit.subscribe({ label: "monitor", eventTypes: ["recovery.finished"] });
    });

    const reported = async () => {
      await kit.relay();
      const bodies = (await kit.claim())
        .filter(({ subscriptionLabel }) => subscriptionLabel === "monitor")
        .map(({ body }) => JSON.parse(Buffer.from(body).toString("utf8")));
      return bodies.map(({ type, data }) => ({ type, data }));
    };

    it("its counts, once, when everything that it found was sent", async () => {
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      await answerAll(kit);
      await drive(kit);
      await drive(kit);
      expect(await reported()).toEqual([
        {
          type: "recovery.finished",
          data: {
            recoveryId,
            subscriptionId: id,
            instanceIntegrationId: INSTANCE_INTEGRATION_ID,
            state: "finished",
            matched: 2,
            acknowledged: 2,
            failed: 0,
            bodyRemoved: 0,
            createdAt: expect.any(String),
            links: { self: `/v1/webhooks/recoveries/${recoveryId}` },
          },
        },
      ]);
    });

    it("that it was cancelled, with its counts, when the last attempt under way has ended (R-X343)", async () => {
      const recoveryId = await start(kit, id);
      await driveUntilFull(kit);
      const claimed = (await kit.claim()).filter(({ subscriptionId }) => subscriptionId === id);
      await kit.operator.cancelRecovery({ recoveryId });
      await kit.record(present(claimed[0]), {});
      await driveUntilFull(kit);
      expect(await reported()).toEqual([]);
      await kit.record(present(claimed[1]), ACKNOWLEDGED);
      await driveUntilFull(kit);
      expect(await reported()).toMatchObject([
        { type: "recovery.finished", data: { recoveryId, state: "cancelled", matched: 2, acknowledged: 1, failed: 1 } },
      ]);
    });

    it("nothing, when its subscription was deleted", async () => {
      const recoveryId = await start(kit, id);
      await kit.subscriptions.deleteSubscription({ subscriptionId: id });
      await drive(kit);
      const { recovery } = await kit.operator.getRecovery({ recoveryId });
      expect(recovery).toMatchObject({ state: RecoveryState.CANCELLED, reason: "subscription_deleted" });
      expect(await reported()).toEqual([]);
    });

    it("that it was cancelled, once", async () => {
      const recoveryId = await start(kit, id);
      await kit.operator.cancelRecovery({ recoveryId });
      await kit.operator.cancelRecovery({ recoveryId });
      expect(await reported()).toMatchObject([
        { type: "recovery.finished", data: { recoveryId, state: "cancelled", acknowledged: 0 } },
      ]);
    });
  });
});
