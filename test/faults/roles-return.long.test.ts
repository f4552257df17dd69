import { eventually } from "../support/eventually.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld, present, type World } from "../support/world.ts";

const ROLES = ["edge", "worker"] as const;

/** What readiness of edge and worker answers. */
const readiness = (gatehouse: ProcessGatehouse) =>
  Promise.all(
    ROLES.map(async (role) => (await fetch(`${present(gatehouse.programs[role]).managementUrl}/health/ready`)).status),
  );

describe("edge and worker while services are away (F24, F25)", () => {
  withScope((closeLater) => {
    let gatehouse: ProcessGatehouse;
    let world: World;
    let receiver: WebhookReceiver;

    beforeAll(async () => {
      gatehouse = await openProcesses(closeLater, { separate: true });
      world = await makeWorld(gatehouse);
      receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      await subscribe(gatehouse, world, receiver);
    });

    /** That everything works: a change is made, its webhook is sent, the edge answers. */
    async function works(name: string): Promise<void> {
      const { platform } = gatehouse;
      const made = await eventually(
        () =>
          platform.createTenant({ requestId: `make ${name}`, instanceId: world.instanceId, name, address: null }).then(
            ({ tenant }) => tenant?.id,
            () => undefined,
          ),
        (id) => id !== undefined,
      );
      const delivery = await receiver.next();
      const answer = await fetch(`${gatehouse.url}/.well-known/jwks.json`);
      expect([delivery.event.data.clientId, answer.status]).toEqual([made, 200]);
    }

    it("are ready again by themselves after services were killed", async () => {
      await present(gatehouse.programs.services).end("SIGKILL");
      const without = await eventually(
        () => readiness(gatehouse),
        (all) => all.every((status) => status === 503),
      );
      await gatehouse.restart("services");
      const again = await eventually(
        () => readiness(gatehouse),
        (all) => all.every((status) => status === 200),
      );
      expect([without, again]).toEqual([
        [503, 503],
        [200, 200],
      ]);
      await works("after SIGKILL");
    });

    it("are not ready while services hang, and continue when those do (kill -STOP, R-X184)", async () => {
      const { child } = present(gatehouse.programs.services);
      closeLater(async () => void child.kill("SIGCONT"));
      child.kill("SIGSTOP");
      const without = await eventually(
        () => readiness(gatehouse),
        (all) => all.every((status) => status === 503),
      );
      const answer = await fetch(`${gatehouse.url}/auth/authorize?client_id=none`);
      child.kill("SIGCONT");
      const again = await eventually(
        () => readiness(gatehouse),
        (all) => all.every((status) => status === 200),
      );
      expect([without, answer.status, answer.headers.has("retry-after"), again]).toEqual([
        [503, 503],
        503,
        true,
        [200, 200],
      ]);
      await works("after SIGCONT");
    });
  });
});
