import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { openProcesses, type ProcessGatehouse } from "../../support/processes.ts";
import { withScope } from "../../support/scope.ts";
import { makeWorld, type World } from "../../support/world.ts";

const ROLES = ["services", "worker", "edge"] as const;

describe("listeners of other roles on the same machine (R-X278)", () => {
  withScope((closeLater) => {
    let gatehouse: ProcessGatehouse;
    let world: World;

    beforeAll(async () => {
      gatehouse = await openProcesses(closeLater, { separate: true });
      world = await makeWorld(gatehouse);
    });

    const register = (label: string, endpointUrl: string) =>
      gatehouse.webhooks.createSubscription({
        label,
        instanceIntegrationId: world.instanceIntegrationId,
        endpointUrl,
        eventTypes: ["*"],
        tenantIds: [],
      });
    const managementUrl = (role: (typeof ROLES)[number]) => gatehouse.programs[role]?.managementUrl ?? "";
    const refusal = /endpoint_url must not be an address at which Gatehouse itself listens/;

    it.each(ROLES)("the management port of %s is no endpoint", async (role) => {
      expect(managementUrl(role)).toMatch(/^http:/);
      await expect(register(`of-${role}`, `${managementUrl(role)}/metrics`)).rejects.toThrow(refusal);
    });

    it("the public port is none by another name", async () => {
      const { port } = new URL(gatehouse.url);
      await expect(register("public", `http://127.0.0.2:${port}/`)).rejects.toThrow(refusal);
    });

    it("another port of this machine is one", async () => {
      const { subscription } = await register("receiver", `http://127.0.0.1:${await freePort()}/`);
      expect(subscription?.endpointUrl).toMatch(/^http:/);
    });

    it("a listener that has ended is no obstacle, and the next one is", async () => {
      const former = managementUrl("worker");
      await gatehouse.programs.worker?.end();
      expect(await readdir(join(gatehouse.dataDirectory, "sockets", "ports"))).not.toContain(new URL(former).port);
      await register("where-a-worker-was", `${former}/`);
      await gatehouse.restart("worker");
      await expect(register("where-it-is", `${managementUrl("worker")}/`)).rejects.toThrow(refusal);
    });

    it("a killed one is no obstacle once it was silent for a minute", async () => {
      const former = managementUrl("worker");
      await gatehouse.programs.worker?.end("SIGKILL");
      await expect(register("too-early", `${former}/`)).rejects.toThrow(refusal);
      const file = join(gatehouse.dataDirectory, "sockets", "ports", new URL(former).port);
      const aMinuteAgo = Date.now() / 1_000 - 61;
      await utimes(file, aMinuteAgo, aMinuteAgo);
      await register("late-enough", `${former}/`);
      await gatehouse.restart("worker");
    });
  });
});
