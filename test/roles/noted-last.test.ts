import { rm } from "node:fs/promises";
import { GatewayService } from "../../generated/proto/gatehouse/workforce/v1/gateway.ts";
import { readConfig } from "../../src/config.ts";
import { carrierTo } from "../../src/roles/carriers.ts";
import { startProcess } from "../../src/roles/process.ts";
import { startServices } from "../../src/roles/services.ts";
import { freePort } from "../support/free-port.ts";
import { testFlags } from "../support/gatehouse.ts";
import { newStoreFolder } from "../support/memory.ts";
import { withScope } from "../support/scope.ts";
import { connectPeers } from "../support/world.ts";
import { refusal, there, withKey } from "../workforce/workforce-fixture.ts";

describe("what services of a process of their own note while they stop", () => {
  withScope((closeLater) => {
    it("is there after the next start, also of calls that come when the loops have ended (R-X58, R-X199)", async () => {
      const dataDirectory = await newStoreFolder("gh-");
      closeLater(() => rm(dataDirectory, { recursive: true, force: true }));
      const flags = testFlags(await freePort(), await freePort(), dataDirectory);
      const config = readConfig({ flags, environment: {}, roles: ["services"] });
      const sockets = config["socket-directory"];
      let afterLoops = async () => {};
      const start = () =>
        startProcess(config, async (process) => {
          await startServices(config, {
            ...process,
            add: (part) =>
              process.add({
                name: part.name,
                async stop(graceMs) {
                  await part.stop(graceMs);
                  if (part.name === "services loops") await afterLoops();
                },
              }),
          });
          return process.ready();
        });

      const first = await start();
      const { workforce, close } = connectPeers(sockets);
      const { integration } = await workforce.createIntegration({ requestId: "", name: "Payroll" });
      const integrationId = there(integration).id;
      const issued = { integrationId, label: "test", rateLimit: null, scopes: [] };
      const { secret } = await workforce.issueApiKey(issued);
      const edge = carrierTo(sockets, "edge");
      const gateway = edge.connect(GatewayService);
      const foreign = { instanceIntegrationId: `installation_${"0".repeat(21)}`, tenantId: `client_${"0".repeat(21)}` };
      const requestId = `req_${"0".repeat(21)}`;
      afterLoops = async () => {
        const call = gateway.getTenant(foreign, { ...withKey(secret), requestId });
        expect(await refusal(call)).toMatchObject({ reason: "instance_integration_not_found" });
      };
      await first.stop();
      await Promise.all([close(), edge.close()]);

      afterLoops = async () => {};
      const second = await start();
      closeLater(() => second.stop());
      const again = connectPeers(sockets);
      closeLater(again.close);
      const { apiKeys } = await again.workforce.listApiKeys({ integrationId, after: null });
      expect(apiKeys.map(({ lastUsedAt }) => lastUsedAt)).toEqual([expect.any(Date)]);
      expect(await again.workforce.explainGatewayRefusal({ requestId })).toMatchObject({
        check: "instance_integration_not_found",
      });
    });
  });
});
