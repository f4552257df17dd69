import { once } from "node:events";
import { connect } from "node:net";
import { arrived } from "../support/eventually.ts";
import { openProcesses } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { WebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld } from "../support/world.ts";

describe("SIGTERM while a client reads its answers slowly (R-X383)", () => {
  withScope((closeLater) => {
    it("cuts no attempt off that is under way, and ends with 0", async () => {
      const receiver = new WebhookReceiver({ answer: { status: 204, delayMs: 4_000 } });
      await receiver.listen();
      closeLater(() => receiver.stop());
      const gatehouse = await openProcesses(closeLater, {
        flags: { "webhook-concurrency-per-endpoint": "1", "log-level": "info" },
      });
      const world = await makeWorld(gatehouse);
      await subscribe(gatehouse, world, receiver);
      // One attempt after the other is under way for as long as a stop may take.
      for (const name of ["Anchor", "Bollard", "Capstan", "Davit", "Eyelet", "Fender"])
        await gatehouse.platform.createTenant({ requestId: "", instanceId: world.instanceId, name, address: null });
      const { host, port } = new URL(gatehouse.url);
      const client = connect(Number(port), "127.0.0.1");
      closeLater(async () => void client.destroy());
      client.on("error", () => undefined).pause();
      // More than the system takes of one connection.
      client.write(`GET /contracts/gateway.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(60));
      await once(client, "readable");
      await arrived(receiver, 1);

      const code = await gatehouse.programs.all?.end("SIGTERM");

      expect([code, gatehouse.programs.all?.output()]).toEqual([0, expect.stringContaining('"msg":"Stopped."')]);
    });
  });
});
