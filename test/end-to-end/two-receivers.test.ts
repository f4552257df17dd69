import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld, newTenant, present, type World } from "../support/world.ts";

describe("one event for two integrations", () =>
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;
    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater);
      world = await makeWorld(gatehouse);
    });

    /** Another integration of the world's instance, with a key of its own. */
    const another = async (): Promise<World> => {
      const { integration } = await gatehouse.workforce.createIntegration({ requestId: "", name: "Rota" });
      const integrationId = present(integration).id;
      const { instanceIntegration } = await gatehouse.workforce.connectIntegration({
        requestId: "",
        integrationId,
        instanceId: world.instanceId,
        configured: true,
      });
      const { secret: apiKey } = await gatehouse.workforce.issueApiKey({
        integrationId,
        label: "rota",
        expiresAt: null,
        rateLimit: null,
        scopes: [],
      });
      return { ...world, integrationId, instanceIntegrationId: present(instanceIntegration).id, apiKey };
    };

    const subscribed = async (own: World, label: string) => {
      const receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      await subscribe(gatehouse, own, receiver, { label });
      return { own, receiver };
    };

    it("names to each its own instance integration and not the other's, and the link is each one's alone (S51, W24)", async () => {
      const [marigold, rota] = [await subscribed(world, "marigold"), await subscribed(await another(), "rota")];
      await newTenant(gatehouse, world.instanceId, "Northlight");
      const [mine, theirs] = [await marigold.receiver.next(), await rota.receiver.next()];
      expect([mine.faults, theirs.faults, mine.webhookId]).toEqual([[], [], theirs.webhookId]);
      const ids = [marigold, rota].map(({ own }) => own.instanceIntegrationId);
      const named = [mine, theirs].map(({ body, headers }) =>
        ids.map((id) => `${body.toString("utf8")} ${JSON.stringify(headers)}`.includes(id)),
      );
      expect(named).toEqual([
        [true, false],
        [false, true],
      ]);
      const statuses = await Promise.all(
        [mine, theirs].flatMap(({ event }) =>
          [marigold, rota].map(async ({ own }) => {
            const answer = await call(gatehouse.url, event.data.links.self, { headers: { "x-api-key": own.apiKey } });
            return answer.status;
          }),
        ),
      );
      expect(statuses).toEqual([200, 404, 404, 200]);
    });
  }));
