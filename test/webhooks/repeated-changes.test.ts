import type { DeliveryRound } from "../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { PINGS_PER_MINUTE } from "../../src/webhooks/pings/ping-allowance.ts";
import { webhooksMigrations } from "../../src/webhooks/services.ts";
import { TEST_EVENTS_PER_MINUTE } from "../../src/webhooks/trials/trial-allowances.ts";
import { endEveryOther } from "../support/repeated-transactions.ts";
import { withScope } from "../support/scope.ts";
import { onPostgres } from "../support/stores.ts";
import { openIntegratorApi } from "./gateway/integrator-kit.ts";
import { openKit, webhooksKit } from "./webhooks-kit.ts";

const MINUTE_MS = 60_000;
const LEASE_MS = 120_000;

onPostgres((open) => {
  describe("a change whose transaction PostgreSQL ended, and which is repeated (R-X406)", () => {
    withScope((closeLater) => {
      it("counts one ping", async () => {
        const api = await openIntegratorApi(open);
        closeLater(() => api.gateway.stop());
        const id = await api.subscribe(api.mine, { endpointUrl: "https://hooks.example/0" });
        // The ping of the creation is of the minute before.
        api.clock.step(MINUTE_MS);
        await endEveryOther(api.opened, "webhooks_queue");
        const statuses: number[] = [];
        for (let nth = 1; nth <= PINGS_PER_MINUTE + 1; nth++) {
          const json = { endpointUrl: `https://hooks.example/${nth}` };
          const path = `/v1/webhooks/subscriptions/${id}`;
          statuses.push((await api.ask("PATCH", path, { secret: api.mine.secret, json })).status);
        }
        expect(statuses).toEqual([...Array(PINGS_PER_MINUTE).fill(200), 429]);
      });
    });

    it("counts one test event", async () => {
      const kit = await openKit(open);
      const { id: subscriptionId } = await kit.subscribe();
      const trigger = () => kit.testEvents.triggerTestEvent({ subscriptionId, eventType: "user.updated" });
      await endEveryOther(kit.opened, "webhooks_queue");
      for (let nth = 0; nth < TEST_EVENTS_PER_MINUTE; nth++) await trigger();
      await expect(trigger()).rejects.toMatchObject({ reason: "too_many_test_events" });
      expect(await kit.deliveries()).toHaveLength(TEST_EVENTS_PER_MINUTE);
    });

    it("takes one turn for a retry that finds no free place (R-X75)", async () => {
      const opened = await open([webhooksMigrations]);
      const flags = {
        "webhook-jitter": "0",
        "webhook-concurrency-per-endpoint": "2",
        "webhook-lease-ms": String(LEASE_MS),
      };
      const kit = webhooksKit(opened, { flags, retries: "temporal" });
      await kit.subscribe();
      const claimed = await kit.claimOne();
      const round: DeliveryRound = { deliveryId: claimed.deliveryId, round: claimed.round };
      await kit.record(claimed);
      await kit.tables.updateTable("webhooks_subscriptions").set({ slow: 1 }).execute();
      await kit.dispatch.claimHandOvers({ limit: 50, waitMs: 0 });
      await kit.dispatch.confirmHandOvers({ rounds: [round] });
      kit.clock.step(MINUTE_MS);
      // The worker of this attempt is lost; another delivery has the slow endpoint's place when the lease passes.
      await kit.dispatch.claimOne({ round, now: false });
      kit.clock.step(LEASE_MS - 1);
      const roomy = webhooksKit(opened, { clock: kit.clock, retries: "temporal" });
      await roomy.claimOne();
      kit.clock.step(1);
      await endEveryOther(opened, "webhooks_queue");
      expect(await kit.dispatch.claimOne({ round, now: true })).toMatchObject({
        standing: { kind: "STANDING_KIND_CROWDED", attempts: 2, waitMs: 10_000 },
      });
    });
  });
});
