import { createServer } from "node:http";
import { eventually } from "../../support/eventually.ts";
import { listening } from "../../support/listening.ts";
import { describeWith } from "../../support/optional-part.ts";
import { withScope } from "../../support/scope.ts";
import { openTemporal, temporalPart } from "../../support/temporal-server.ts";
import { newTenant, present } from "../../support/world.ts";
import { openRetryKit } from "../retry-kit.ts";

/** A second attempt after a second; a third that no test waits for. */
const FLAGS = {
  "webhook-attempt-delays": "1s,1h",
  "webhook-timeout-ms": "12000",
  "webhook-lease-ms": "120000",
};
const HOSTS = 4;
const SUBSCRIPTIONS_OF_EACH = 30;
/** Long enough that all of a crowd have failed once, and the worker has ended, before the first of them is due again. */
const DELAY_MS = 40_000;
const CROWD = 120;
/** For so long a workflow task waits for the worker that has the workflow in its memory. */
const STICKY_MS = 2_000;

describeWith(temporalPart(), "an integration beside another's retries, by Temporal", () => {
  withScope((closeLater) => {
    /** A host that refuses each delivery's first POST at once, and never answers another. */
    async function startFallingSilent(asked: { open: number; most: number }): Promise<string> {
      const seen = new Set<string>();
      const server = createServer((request, response) => {
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
      });
      return listening(server, closeLater);
    }

    /** A host that refuses each delivery's first POST, and acknowledges the second. */
    async function startRefusingOnce() {
      const seen = new Set<string>();
      const counts = { refused: 0, retried: 0, url: "" };
      const server = createServer((request, response) => {
        request.resume();
        const id = String(request.headers["webhook-id"]);
        const isFirst = !seen.has(id);
        seen.add(id);
        if (isFirst) counts.refused++;
        else counts.retried++;
        response.writeHead(isFirst ? 503 : 204).end();
      });
      counts.url = await listening(server, closeLater);
      return counts;
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

    it("is retried in its turn, though a crowd of another subscription was due before it (R-X405)", async () => {
      const { address, client } = await openTemporal(closeLater);
      const flags = {
        ...FLAGS,
        "webhook-attempt-delays": `${DELAY_MS / 1_000}s,1h`,
        "webhook-jitter": "0",
        // The crowd's host takes all of it at once: nothing but the order of the queue lets the other come first.
        "webhook-concurrency-per-endpoint": "256",
        "temporal-address": address,
      };
      const kit = await openRetryKit(closeLater, { separate: true, flags });
      const { gatehouse, world } = kit;
      const crowd = await startRefusingOnce();
      await gatehouse.webhooks.createSubscription({
        label: "crowd",
        instanceIntegrationId: world.instanceIntegrationId,
        endpointUrl: crowd.url,
        eventTypes: ["client.created"],
        tenantIds: [],
      });
      const other = await kit.subscriber("other", { apart: true });
      other.receiver.answerNext({ status: 503 });
      // While there is no worker, so that the crowd's first attempts, and with them its waits, begin together.
      await gatehouse.programs.worker?.end();
      for (let number = 0; number < CROWD; number++) await newTenant(gatehouse, world.instanceId, `Tenant ${number}`);
      await gatehouse.restart("worker");
      await eventually(
        async () => crowd.refused,
        (refused) => refused === CROWD,
        60_000,
      );
      await other.emit();
      const { dueAt } = await other.attempts(1);
      const waiting = async () => (await client.workflow.count("WorkflowType = 'webhookRetry'")).count;
      await eventually(waiting, (count) => count === CROWD + 1, 60_000);
      await gatehouse.programs.worker?.end();
      expect(crowd.retried).toBe(0);
      // All are due, and no longer wait for the worker that had them before.
      const allDueAt = present(dueAt).getTime() + STICKY_MS + 8_000;
      await eventually(
        async () => Date.now(),
        (now) => now > allDueAt,
        DELAY_MS + 60_000,
      );
      await other.receiver.next();
      await gatehouse.restart("worker");
      await other.receiver.next({ timeoutMs: 150_000 });
      expect(crowd.retried).toBeLessThan(CROWD / 2);
      await eventually(
        async () => crowd.retried,
        (retried) => retried === CROWD,
        120_000,
      );
    }, 900_000);
  });
});
