import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "../../support/eventually.ts";
import { describeWith } from "../../support/optional-part.ts";
import { withScope } from "../../support/scope.ts";
import { openTemporal, temporalPart } from "../../support/temporal-server.ts";
import { openRetryKit } from "../retry-kit.ts";

/** A second attempt after a second; a third that no test waits for. */
const FLAGS = {
  "webhook-attempt-delays": "1s,1h",
  "webhook-timeout-ms": "12000",
  "webhook-lease-ms": "120000",
};
const HOSTS = 4;
const SUBSCRIPTIONS_OF_EACH = 30;

describeWith(temporalPart(), "an integration beside another's retries, by Temporal", () => {
  withScope((closeLater) => {
    /** A host that refuses each delivery's first POST at once, and never answers another. */
    async function startFallingSilent(asked: { open: number; most: number }): Promise<string> {
      const seen = new Set<string>();
      const server: Server = createServer((request, response) => {
        request.resume();
        const id = String(request.headers["webhook-id"]) + request.url;
        if (!seen.has(id)) {
          seen.add(id);
          response.writeHead(503).end();
          return;
        }
        asked.open++;
        asked.most = Math.max(asked.most, asked.open);
        response.once("close", () => asked.open--);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      closeLater(async () => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }

    it("is retried while all endpoints of the other are silent: they leave places of the Temporal worker (R-X387)", async () => {
      const { address } = await openTemporal(closeLater);
      const kit = await openRetryKit(closeLater, { separate: true, flags: { ...FLAGS, "temporal-address": address } });
      const { webhooks, platform } = kit.gatehouse;
      const { instanceIntegrationId, tenantId, userId } = kit.world;
      const asked = { open: 0, most: 0 };
      for (let host = 0; host < HOSTS; host++) {
        const url = await startFallingSilent(asked);
        for (let number = 0; number < SUBSCRIPTIONS_OF_EACH; number++)
          await webhooks.createSubscription({
            label: `silent-${host}-${number}`,
            instanceIntegrationId,
            endpointUrl: `${url}/${number}`,
            eventTypes: ["user.updated"],
            tenantIds: [tenantId],
          });
      }
      const other = await kit.subscriber("other", { apart: true });
      other.receiver.answerNext({ status: 503 });
      await platform.deleteUser({ requestId: "", userId });
      await eventually(
        async () => asked.open,
        (open) => open >= 90,
        60_000,
      );
      await other.emit();
      await other.receiver.next();
      await other.receiver.next({ timeoutMs: 60_000 });
      // Of 100 places.
      expect(asked.most).toBeLessThanOrEqual(94);
    }, 180_000);
  });
});
