import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../support/eventually.ts";
import { call } from "../support/http.ts";
import { openProcesses } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld } from "../support/world.ts";
import { openRetryKit, outcomesOf } from "../webhooks/retry-kit.ts";

const STOP_MS = 15_000;
/** Longer than a client, or the look of an edge at its services, takes on a busy machine. */
const DRAIN_MS = "8000";
const stillRuns = () => sleep(STOP_MS, "still runs", { ref: false });

describe("SIGTERM under load (F45)", () => {
  withScope((closeLater) => {
    it("finishes running requests, refuses no kept-alive request, and exits with 0", async () => {
      const gatehouse = await openProcesses(closeLater, {
        // An attempt under way has what the drain leaves of a stop.
        flags: { "drain-milliseconds": DRAIN_MS, "webhook-timeout-ms": "5000" },
      });
      const world = await makeWorld(gatehouse);
      const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients`;
      const headers = { "x-api-key": world.apiKey };
      const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
      const answers: number[] = [];
      const asked: string[] = [];
      let ending = false;
      /** A client on one kept-alive connection, until its server asks it to close. */
      const client = async (agent: Agent) => {
        for (let closing = false; !closing; ) {
          const answer = await call(gatehouse.url, path, { agent, headers }).catch((error: Error) => error);
          asked.push(answer instanceof Error ? answer.message : "answered");
          if (answer instanceof Error) return;
          answers.push(answer.status);
          closing = ending && answer.headers.get("connection") === "close";
        }
      };
      const clients = agents.map(client);
      await eventually(
        async () => answers.length,
        (count) => count >= 5 * agents.length,
      );
      ending = true;
      const code = gatehouse.programs.all?.end("SIGTERM");
      await Promise.all(clients);

      expect(await code).toBe(0);
      expect(new Set(asked)).toEqual(new Set(["answered"]));
      expect(new Set(answers)).toEqual(new Set([200]));
      expect(answers.length).toBeGreaterThanOrEqual(6 * agents.length);
    });

    it("of services apart: their edge says not ready before any of its requests fails (R-X35)", async () => {
      const gatehouse = await openProcesses(closeLater, {
        separate: true,
        flags: { "drain-milliseconds": DRAIN_MS },
      });
      const world = await makeWorld(gatehouse);
      const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients`;
      const headers = { "x-api-key": world.apiKey };
      const { edge, services } = gatehouse.programs;
      const readiness = async () => (await fetch(`${edge?.managementUrl}/health/ready`)).status;
      const statuses: number[] = [];
      const code = services?.end("SIGTERM");
      const seen = await eventually(
        async () => {
          statuses.push((await call(gatehouse.url, path, { headers })).status);
          return readiness();
        },
        (status) => status === 503,
        6_000,
      );
      statuses.push((await call(gatehouse.url, path, { headers })).status);
      expect([seen, new Set(statuses)]).toEqual([503, new Set([200])]);
      expect(await code).toBe(0);
    });

    it("of services apart: does not wait for a worker that waits for something to send", async () => {
      const gatehouse = await openProcesses(closeLater, { separate: true });
      const { services, worker } = gatehouse.programs;
      const readiness = async () => (await fetch(`${worker?.managementUrl}/health/ready`)).status;
      await eventually(readiness, (status) => status === 200);
      // Below the time for which a worker waits.
      expect(await Promise.race([services?.end("SIGTERM"), stillRuns()])).toBe(0);
    });

    it.each([
      ["services before their worker", ["services", "worker"]],
      ["a worker before its services", ["worker", "services"]],
      ["both at once", ["services and worker"]],
    ])("of %s: an attempt that is under way is reported, and made once (R-X416)", async (_, order) => {
      const kit = await openRetryKit(closeLater, {
        separate: true,
        flags: { "webhook-timeout-ms": "10000", "webhook-lease-ms": "20000" },
      });
      const one = await kit.subscriber("stopped");
      one.receiver.answerNext({ status: 204, delayMs: 3_000 });
      await one.emit();
      await one.receiver.next();
      const { services, worker } = kit.gatehouse.programs;
      const ends = { services: [services], worker: [worker], "services and worker": [services, worker] };
      for (const step of order as (keyof typeof ends)[])
        expect(new Set(await Promise.all(ends[step].map((program) => program?.end())))).toEqual(new Set([0]));

      await kit.gatehouse.restart("services");
      await kit.gatehouse.restart("worker");
      expect(outcomesOf(await one.settled())).toEqual(["acknowledged"]);
      expect(one.receiver.received).toHaveLength(1);
    });

    it("closes a silent connection at once", async () => {
      const gatehouse = await openProcesses(closeLater);
      const silent = connect(Number(new URL(gatehouse.url).port), "127.0.0.1");
      closeLater(async () => void silent.destroy());
      await once(silent, "connect");
      const closed = once(silent, "close");
      // Below the grace time, which a server that waits would use up.
      expect(await Promise.race([gatehouse.programs.all?.end("SIGTERM"), stillRuns()])).toBe(0);
      await closed;
    });
  });
});
