import { ConnectionsService } from "../../../generated/proto/gatehouse/workforce/v1/connections.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { ownFilters } from "../../../src/webhooks/integrator/own-filters.ts";
import { composeRecoveries } from "../../../src/webhooks/recoveries/recoveries-composition.ts";
import { ownSubscriptionRepository } from "../../../src/webhooks/subscriptions/own-subscription-repository.ts";
import { integrationScope } from "../../../src/webhooks/subscriptions/scope.ts";
import { subscriptionRepository } from "../../../src/webhooks/subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eachStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";
import { connections, INTEGRATION_ID, openKit, settingsFor, type WebhooksKit } from "../webhooks-kit.ts";
import { auditOf, drive, exhaust, HOUR_MS, ofLastDay } from "./recovery-kit.ts";

const OWNER = integrationScope(INTEGRATION_ID, "reports");
const STRANGER = integrationScope(newId("integration", systemRandom), "reports");
const CALL = { requestId: "" };

eachStore((_, open) => {
  describe("sending again in the scope of an integration (R-X279, W18)", () => {
    let kit: WebhooksKit;
    let services: ReturnType<typeof composeRecoveries>["services"];
    let subscriptionId: string;
    beforeEach(async () => {
      kit = await openKit(open);
      const { store, wake } = kit.opened;
      const { clock } = kit;
      const db = store.view<WebhooksTables>();
      const changes = createChanges<WebhooksTables>({ store, clock, wake, random: systemRandom });
      ({ services } = composeRecoveries({
        ...{ db, clock, wake, random: systemRandom, settings: settingsFor(), moves: deliveryMoves },
        ranMs: () => HOUR_MS,
        changes,
        requested: changes,
        subscriptions: subscriptionRepository(db),
        filters: ownFilters({
          subscriptions: ownSubscriptionRepository(db),
          workforce: connections.connect(ConnectionsService),
        }),
      }));
      subscriptionId = (await kit.subscribe()).id;
      await exhaust(kit, 2);
    });

    it("its own are found, and the audit log names its key", async () => {
      const [first] = await kit.deliveries();
      await services.resendDelivery(OWNER, { deliveryId: present(first).id }, CALL);
      const { recovery } = await services.startRecovery(OWNER, ofLastDay(kit, subscriptionId), CALL);
      const recoveryId = present(recovery).id;
      await services.pauseRecovery(OWNER, { recoveryId }, CALL);
      expect((await services.getRecovery(OWNER, { recoveryId })).recovery).toMatchObject({ reason: "integration" });
      expect((await services.listRecoveries(OWNER, { states: [], limit: 0 })).recoveries).toHaveLength(1);
      const actors = [...(await auditOf(kit.opened, "recovery.")), ...(await auditOf(kit.opened, "delivery."))].map(
        ({ actor }) => actor,
      );
      expect(new Set(actors)).toEqual(new Set([OWNER.actor]));
    });

    it("another's are not found, with the answer of what does not exist, and stay as they are", async () => {
      const [first] = await kit.deliveries();
      const deliveryId = present(first).id;
      const { recovery } = await services.startRecovery(OWNER, ofLastDay(kit, subscriptionId), CALL);
      const recoveryId = present(recovery).id;
      const refused = async (call: Promise<unknown>) =>
        call.then(
          () => "done",
          ({ code, reason, message }) => [code, reason, message.replaceAll(/_\w{21}/g, "_…")],
        );
      const nowhere = { deliveryId: newId("delivery", systemRandom), recoveryId: newId("recovery", systemRandom) };
      const unknown = newId("subscription", systemRandom);
      expect(await refused(services.resendDelivery(STRANGER, { deliveryId }, CALL))).toEqual(
        await refused(services.resendDelivery(OWNER, nowhere, CALL)),
      );
      expect(await refused(services.startRecovery(STRANGER, ofLastDay(kit, subscriptionId), CALL))).toEqual(
        await refused(services.startRecovery(OWNER, ofLastDay(kit, unknown), CALL)),
      );
      for (const one of [services.pauseRecovery, services.resumeRecovery, services.cancelRecovery])
        expect(await refused(one(STRANGER, { recoveryId }, CALL))).toEqual(await refused(one(OWNER, nowhere, CALL)));
      expect(await refused(services.getRecovery(STRANGER, { recoveryId }))).toEqual(
        await refused(services.getRecovery(OWNER, nowhere)),
      );
      expect((await services.listRecoveries(STRANGER, { states: [], limit: 0 })).recoveries).toEqual([]);
      await drive(kit);
      expect((await kit.operator.getRecovery({ recoveryId })).recovery).toMatchObject({
        state: "RECOVERY_STATE_RUNNING",
      });
    });
  });
});
