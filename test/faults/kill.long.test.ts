import { setTimeout as sleep } from "node:timers/promises";
import { type Delivery, DeliveryState } from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";
import type { Gatehouse } from "../support/gatehouse.ts";
import { heldSocket } from "../support/held-socket.ts";
import { openProcesses } from "../support/processes.ts";
import { seededRandom } from "../support/random.ts";
import { type Closer, withScope } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld, present, type World } from "../support/world.ts";

/** A schedule that a test can wait for. A healthy receiver on a busy machine is in time, and a kill comes before an attempt's own end. */
const QUICK = {
  "webhook-attempt-delays": "200ms,200ms",
  "webhook-timeout-ms": "4000",
  "webhook-connect-timeout-ms": "4000",
  "webhook-lease-ms": "8000",
};

const createTenant = async (
  { platform }: Gatehouse,
  { instanceId }: World,
  name: string,
  requestId = "",
): Promise<string> => present((await platform.createTenant({ requestId, instanceId, name, address: null })).tenant).id;

const settled = ({ webhooks }: Gatehouse): Promise<readonly Delivery[]> =>
  eventually(
    async () => (await webhooks.listDeliveries({ states: [], limit: 500 })).deliveries,
    (deliveries) => deliveries.length > 0 && deliveries.every(({ state }) => state !== DeliveryState.PENDING),
  );

const openReceiver = async (
  closeLater: (closer: Closer) => void,
  ...options: Parameters<typeof startWebhookReceiver>
) => {
  const receiver = await startWebhookReceiver(...options);
  closeLater(() => receiver.stop());
  return receiver;
};

describe("kill -9 (F9–F14, I15): nothing lost, never more than three POSTs", () => {
  withScope((closeLater) => {
    it("between commit and delivery: the event is sent after the restart", async () => {
      const gatehouse = await openProcesses(closeLater, { separate: true, flags: QUICK });
      const world = await makeWorld(gatehouse);
      const receiver = await openReceiver(closeLater);
      await subscribe(gatehouse, world, receiver);
      await gatehouse.programs.worker?.end("SIGKILL");
      const tenantId = await createTenant(gatehouse, world, "Committed, not sent");
      await gatehouse.programs.services?.end("SIGKILL");

      await gatehouse.restart("services");
      await gatehouse.restart("worker");

      const delivery = await receiver.next();
      expect(delivery.event.data.clientId).toBe(tenantId);
      const deliveries = await settled(gatehouse);
      expect(deliveries.map(({ state }) => state)).toEqual([DeliveryState.DELIVERED]);
    });

    it("between sending and recording: the attempt counts as spent, and the next one delivers (R-E8)", async () => {
      const gatehouse = await openProcesses(closeLater, { separate: true, flags: QUICK });
      const world = await makeWorld(gatehouse);
      const receiver = await openReceiver(closeLater);
      receiver.answerNext("silence");
      await subscribe(gatehouse, world, receiver);
      const tenantId = await createTenant(gatehouse, world, "Sent, not recorded");
      const first = await receiver.next();
      await gatehouse.programs.worker?.end("SIGKILL");

      await gatehouse.restart("worker");

      const second = await receiver.next();
      expect([first, second].map(({ webhookId, nth }) => [webhookId, nth])).toEqual([
        [first.webhookId, 1],
        [first.webhookId, 2],
      ]);
      expect(second.event.data.clientId).toBe(tenantId);
      const [delivery] = await settled(gatehouse);
      expect(present(delivery).attempts.map(({ attemptNumber, outcome }) => [attemptNumber, outcome])).toEqual([
        [1, "lost"],
        [2, "acknowledged"],
      ]);
    });

    it("between claiming and the claim's answer: no attempt is spent, and one POST is made (R-X143)", async () => {
      const sockets = newFolder("gh-s-");
      const held = await heldSocket(closeLater, sockets, "worker.sock");
      const gatehouse = await openProcesses(closeLater, {
        separate: true,
        // Longer than the test: what is not given back would wait.
        flags: { ...QUICK, "webhook-lease-ms": "600000", "socket-directory": sockets },
        settingsOf: { worker: { "socket-directory": held.directory } },
      });
      const world = await makeWorld(gatehouse);
      const receiver = await openReceiver(closeLater);
      await subscribe(gatehouse, world, receiver);
      held.hold();
      await createTenant(gatehouse, world, "Claimed, not answered");
      const claimed = await eventually(
        async () => (await gatehouse.webhooks.listDeliveries({ states: [], limit: 5 })).deliveries,
        (deliveries) => deliveries.some(({ attempts }) => attempts.length > 0),
      );
      await gatehouse.programs.services?.end("SIGKILL");
      held.cut();

      await gatehouse.restart("services");

      const [delivery] = await settled(gatehouse);
      expect(claimed.map(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual([["in_flight"]]);
      expect(present(delivery).attempts.map(({ attemptNumber, outcome }) => [attemptNumber, outcome])).toEqual([
        [1, "acknowledged"],
      ]);
      expect(receiver.received).toHaveLength(1);
    });

    it("a subscriber that stays down: three attempts are recorded, then the delivery is exhausted (R-E6)", async () => {
      const gatehouse = await openProcesses(closeLater, { flags: QUICK });
      const world = await makeWorld(gatehouse);
      const receiver = await openReceiver(closeLater);
      await subscribe(gatehouse, world, receiver);
      await receiver.stop();
      await createTenant(gatehouse, world, "Nobody there");
      const [delivery] = await settled(gatehouse);
      expect(present(delivery).state).toBe(DeliveryState.EXHAUSTED);
      expect(present(delivery).attempts.map(({ attemptNumber, outcome }) => [attemptNumber, outcome])).toEqual([
        [1, "connection"],
        [2, "connection"],
        [3, "connection"],
      ]);
    });

    it("again and again while clients are created: every acknowledged one is sent, at most three times", async () => {
      const random = seededRandom("kill while writing");
      const gatehouse = await openProcesses(closeLater, { flags: QUICK });
      const world = await makeWorld(gatehouse);
      const receiver = await openReceiver(closeLater);
      await subscribe(gatehouse, world, receiver);
      const acknowledged = new Set<string>();
      let writing = true;
      const write = async (writer: number) => {
        for (let number = 0; writing; number++) {
          const name = `Tenant ${writer}-${number}`;
          // A call that a kill cut off may or may not have been committed; only answered ones are promised.
          const tenantId = await createTenant(gatehouse, world, name).catch(() => undefined);
          if (tenantId !== undefined) acknowledged.add(tenantId);
          await sleep(5);
        }
      };
      const writers = Array.from({ length: 4 }, (_, writer) => write(writer));
      for (let kill = 0; kill < 6; kill++) {
        await sleep(150 + random.bytes(1).readUInt8());
        await gatehouse.programs.all?.end("SIGKILL");
        await gatehouse.restart("all");
        // On a slow machine each kill comes before the requests that it interrupts: three would take all attempts of one.
        await eventually(
          async () =>
            (await gatehouse.webhooks.listDeliveries({ states: [DeliveryState.PENDING], limit: 500 })).deliveries,
          (pending) => pending.every(({ attempts }) => attempts.length < 2),
          30_000,
        );
      }
      writing = false;
      await Promise.all(writers);

      const told = () => new Set(receiver.received.map(({ event }) => event.data.clientId as string));
      await eventually(
        async () => [...acknowledged].filter((id) => !told().has(id)),
        (missing) => missing.length === 0,
        30_000,
      );
      const exhausted = await gatehouse.webhooks.listDeliveries({
        states: [DeliveryState.EXHAUSTED],
        limit: 500,
      });

      expect(acknowledged.size).toBeGreaterThan(20);
      expect([...acknowledged].filter((id) => !told().has(id))).toEqual([]);
      expect(exhausted.deliveries).toEqual([]);
      expect(Math.max(...receiver.received.map(({ webhookId }) => receiver.countOf(webhookId)))).toBeLessThanOrEqual(3);
    }, 180_000);
  });
});
