import { DeliveryState } from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { eventually } from "../support/eventually.ts";
import { openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld } from "../support/world.ts";

describe("an instance integration that is un-configured, configured and revoked (R-E14)", () => {
  withScope((closeLater) => {
    it("changes gateway and webhooks each time", async () => {
      const gatehouse = await openGatehouse(closeLater, { carriage: "socket" });
      const { platform, workforce, webhooks } = gatehouse;
      const world = await makeWorld(gatehouse);
      const receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      await subscribe(gatehouse, world, receiver, { eventTypes: ["client.created"] });
      const { instanceIntegrationId } = world;
      const configure = (configured: boolean) =>
        workforce.configureInstanceIntegration({ requestId: "", instanceIntegrationId, configured });
      const createTenant = (name: string) =>
        platform.createTenant({ requestId: "", instanceId: world.instanceId, name, address: null });
      const status = async () =>
        (
          await call(gatehouse.url, `/v1/instance-integrations/${instanceIntegrationId}/clients`, {
            headers: { "x-api-key": world.apiKey },
          })
        ).status;
      const states = async () =>
        (await webhooks.listDeliveries({ states: [], limit: 10 })).deliveries
          .toReversed()
          .map(({ state, reason }) => [state, reason]);
      const settled = (count: number) =>
        eventually(states, (all) => all.length === count && all.every(([state]) => state !== DeliveryState.PENDING));

      await createTenant("First");
      await settled(1);
      await configure(false);
      await createTenant("Second");
      await settled(2);
      expect(await status()).toBe(404);
      await configure(true);
      await createTenant("Third");
      await settled(3);
      expect(await status()).toBe(200);
      await workforce.revokeInstanceIntegration({ requestId: "", instanceIntegrationId });
      await createTenant("Fourth");
      const oneMore = await eventually(
        async () => (await webhooks.listSubscriptions({ states: [] })).subscriptions[0]?.stateReason,
        (reason) => reason === "instance_integration_revoked",
      );
      expect([oneMore, await status()]).toEqual(["instance_integration_revoked", 404]);
      expect(await states()).toEqual([
        [DeliveryState.DELIVERED, null],
        [DeliveryState.SKIPPED, "instance_integration_unconfigured"],
        [DeliveryState.DELIVERED, null],
      ]);
    });
  });
});
