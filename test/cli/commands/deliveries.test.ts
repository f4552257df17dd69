import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { openGatehouse } from "../../support/gatehouse.ts";
import { withScope } from "../../support/scope.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";
import { makeWorld, present, type World } from "../../support/world.ts";
import { gatehouse, type Ran } from "../command-line.ts";

interface ListedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly attempts: readonly { readonly outcome: string; readonly endpoint: string; readonly answer: string | null }[];
}

describe("gatehouse deliveries, where receivers fail", () => {
  withScope((closeLater) => {
    let world: World;
    let run: (...words: string[]) => Promise<Ran>;
    let failed: (endpointUrl: string, label: string) => Promise<ListedDelivery>;

    beforeAll(async () => {
      const product = await openGatehouse(closeLater);
      run = (...words) => gatehouse([...words, "--data-directory", product.dataDirectory]);
      world = await makeWorld(product);
      const list = async (label: string): Promise<readonly ListedDelivery[]> =>
        JSON.parse((await run("deliveries", "list", "--subscription", label, "--json")).stdout).deliveries;
      failed = async (endpointUrl, label) => {
        const eventTypes = ["organization_location.created"];
        const { instanceIntegrationId } = world;
        await product.webhooks.createSubscription({
          label,
          instanceIntegrationId,
          endpointUrl,
          eventTypes,
          tenantIds: [],
        });
        await product.platform.createLocation({ requestId: "", tenantId: world.tenantId, name: label });
        const found = await eventually(
          () => list(label),
          (deliveries) => ![undefined, "in_flight"].includes(deliveries[0]?.attempts[0]?.outcome),
        );
        return present(found[0]);
      };
    });

    it("show says which host refused it with which status, and what it answered (R-X195)", async () => {
      const body = "\u001b[31mmaintenance until noon\u001b[0m\r\n";
      const receiver = await startWebhookReceiver({ answer: { status: 503, body } });
      closeLater(() => receiver.stop());
      const { id, eventId } = await failed(`${receiver.url}?token=secret`, "refusing");
      const { stdout } = await run("deliveries", "show", id);
      const { host } = new URL(receiver.url);
      expect(stdout).toMatch(new RegExp(`^attempt 1 +1: ${host} refused it with 503, in \\d+ ms, 2`, "m"));
      expect(stdout).toMatch(/^ {2}answer +\[31mmaintenance until noon \[0m$/m);
      expect(stdout).not.toContain("secret");
      const ofEvent = await run("deliveries", "list", "--event", eventId);
      expect(ofEvent.stdout).toContain(id);
      expect(ofEvent.stderr).toContain(`Next: gatehouse deliveries show ${id}`);
    });

    it("list says that no connection was accepted, and by which host", async () => {
      const port = await freePort();
      const { id } = await failed(`http://127.0.0.1:${port}/hooks`, "closed");
      const { stdout } = await run("deliveries", "list", "--subscription", "closed");
      expect(stdout).toMatch(
        new RegExp(`1: 127.0.0.1:${port} accepts no connection, or ended it, in \\d+ ms.* ${id}$`, "m"),
      );
    });

    it("list says that TLS failed, where https is asked of an http port", async () => {
      const receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      await failed(receiver.url.replace("http:", "https:"), "no-tls");
      const { stdout } = await run("deliveries", "list", "--subscription", "no-tls");
      expect(stdout).toContain(
        `1: ${new URL(receiver.url).host}: no valid TLS: a wrong certificate, or none at this port`,
      );
    });

    it("show refuses an id that does not exist with exit code 1, and other text with 2", async () => {
      expect((await run("deliveries", "show", "delivery_AAAAAAAAAAAAAAAAAAAAA")).exitCode).toBe(1);
      expect((await run("deliveries", "show", "1")).exitCode).toBe(2);
    });
  });
});
