import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { newId } from "../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { eventually } from "../support/eventually.ts";
import { withScope } from "../support/scope.ts";
import { eachStore } from "../support/stores.ts";
import { type ReceiverAnswer, startWebhookReceiver } from "../support/webhook-receiver.ts";
import { openKit, runningClock } from "./webhooks-kit.ts";

const SILENT_ENDPOINTS = 20;
/** Eight attempts at once; no attempt to a silent endpoint ends while the test runs. */
const FLAGS = { "webhook-concurrency": "8", "webhook-timeout-ms": "17000", "webhook-lease-ms": "600000" };

/** Of 32 places an integration may have 30 (R-X387). */
const FLAGS_OF_32 = { ...FLAGS, "webhook-concurrency": "32" };

eachStore((_, open) => {
  withScope((closeLater) => {
    /** Takes connections and never answers. */
    async function startSilentEndpoint(): Promise<{ readonly url: string; readonly asked: () => number }> {
      const sockets = new Set<Socket>();
      let asked = 0;
      const server = createServer((socket) => {
        sockets.add(socket.on("error", () => undefined));
        socket.once("data", () => asked++);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      closeLater(async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      });
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: () => asked };
    }

    it("an integration whose endpoints all stop answering at once leaves places for others (R-X387)", async () => {
      const kit = await openKit(open, { flags: FLAGS_OF_32, clock: runningClock });
      let answer: ReceiverAnswer = { status: 204 };
      const stopping = await Promise.all(
        Array.from({ length: 8 }, () => startWebhookReceiver({ answer: () => answer })),
      );
      const other = await startWebhookReceiver();
      for (const { url } of [...stopping, other]) await kit.subscribe({ endpointUrl: url });
      await kit.tables
        .updateTable("webhooks_subscriptions")
        .set({ integration_id: newId("integration", systemRandom) })
        .where("endpoint_url", "=", other.url)
        .execute();
      const running = kit.run();
      closeLater(() => running.stop());
      for (const receiver of [...stopping, other]) closeLater(() => receiver.stop());
      await kit.emit();
      await eventually(kit.deliveries, (all) => all.length === 9 && all.every(({ state }) => state === "delivered"));

      answer = "silence";
      const asked = () => stopping.reduce((sum, { received }) => sum + received.length, 0) - stopping.length;
      await kit.emit(...Array.from({ length: 10 }, () => ({})));
      for (let event = 0; event < 11; event++) await other.next();
      const askedThen = await eventually(
        async () => asked(),
        (count) => count >= 30,
      );
      expect(askedThen).toBe(30);
      for (let turn = 0; turn < 5; turn++) {
        await kit.emit();
        await other.next();
      }
      // The same attempts all the while: none of them has ended.
      expect(asked()).toBe(30);
    });

    it("an endpoint that answers gets every event while twenty that are silent keep their half of the worker's places (R-X306, F41)", async () => {
      const kit = await openKit(open, { flags: FLAGS, clock: runningClock });
      const receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      const healthy = await kit.subscribe({ endpointUrl: receiver.url });
      receiver.secret = healthy.secret;
      const running = kit.run();
      // After the silent endpoints, which are opened later: with their connections their attempts end.
      closeLater(() => running.stop());
      await kit.emit();
      await receiver.next();
      await eventually(kit.deliveries, (all) => all.every(({ state }) => state === "delivered"));

      const silent = await Promise.all(Array.from({ length: SILENT_ENDPOINTS }, startSilentEndpoint));
      for (const { url } of silent) await kit.subscribe({ endpointUrl: url });
      await kit.emit();
      await receiver.next();
      const asked = () => silent.reduce((sum, one) => sum + one.asked(), 0);
      await eventually(
        async () => asked(),
        (count) => count === 4,
      );
      for (let turn = 0; turn < 10; turn++) {
        await kit.emit();
        await receiver.next();
      }
      expect(receiver.received).toHaveLength(12);
      // The same four attempts all the while: none of them has ended, and no other was begun.
      expect(asked()).toBe(4);
    });
  });
});
