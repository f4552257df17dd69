import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { call } from "../support/http.ts";
import { openProcesses, startProgram } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld, newTenant } from "../support/world.ts";

const WITHOUT_DATABASE = ["--import", join(import.meta.dirname, "..", "support", "no-database.mjs")];

describe("edge and worker have no store (R-D3)", () => {
  withScope((closeLater) => {
    it("edge and worker serve and deliver with the packages of the store made unresolvable", async () => {
      const gatehouse = await openProcesses(closeLater, {
        separate: true,
        flagsOf: { edge: WITHOUT_DATABASE, worker: WITHOUT_DATABASE },
      });
      const receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      const world = await makeWorld(gatehouse);
      await subscribe(gatehouse, world, receiver);
      const addedTenantId = await newTenant(gatehouse, world.instanceId, "Northlight");

      const delivery = await receiver.next();
      expect(delivery.event.data.clientId).toBe(addedTenantId);
      const list = await call(gatehouse.url, "/v1/instance-integrations", { headers: { "x-api-key": world.apiKey } });
      expect(list.status).toBe(200);
    });

    it("they are not ready while services cannot be reached, and answer 503 with a hint (R-X35)", async () => {
      const gatehouse = await openProcesses(closeLater, { separate: true });
      await gatehouse.programs.services?.end("SIGKILL");
      const { edge, worker } = gatehouse.programs;
      const ready = await Promise.all([edge, worker].map((program) => fetch(`${program?.managementUrl}/health/ready`)));
      const jwks = await call(gatehouse.url, "/.well-known/jwks.json");
      expect(ready.map(({ status }) => status)).toEqual([503, 503]);
      expect([jwks.status, jwks.headers.get("retry-after")]).toEqual([503, "2"]);
    });

    it("services do not start with those packages unresolvable, so the test's wall holds", async () => {
      const services = startProgram(["serve", "--role", "services", "--development=true"], await freePort(), {
        nodeFlags: WITHOUT_DATABASE,
      });
      closeLater(async () => void (await services.end("SIGKILL")));
      await expect(services.ready()).rejects.toThrow("made unresolvable");
    });
  });
});
