import { sql } from "kysely";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import type { Closer } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { type ReceiverOptions, startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { openKit, type WebhooksKit } from "../webhooks-kit.ts";

const HOUR = 60 * 60 * 1000;
/** Two attempts at once: longer waits are of other tests. */
const QUICK = { "webhook-attempt-delays": "1ms", "webhook-jitter": "0" };

eachStore((_, open) => {
  describe("operational events, from an endpoint's answer to another endpoint", () => {
    let kit: WebhooksKit;
    let closers: Closer[];
    const clock = standingClock(new Date());
    beforeEach(async () => {
      closers = [];
      kit = await openKit(open, { flags: QUICK, clock });
    });
    afterEach(async () => {
      for (const close of closers.toReversed()) await close();
    });

    /** What it gets is verified by standardwebhooks and against the contract. */
    async function subscriber(
      label: string,
      eventTypes: string[],
      options: ReceiverOptions = {},
    ): Promise<WebhookReceiver & { readonly subscriptionId: string }> {
      const receiver = await startWebhookReceiver({ clock, ...options });
      closers.push(() => receiver.stop());
      const { id, secret } = await kit.subscribe({ label, eventTypes, endpointUrl: receiver.url });
      receiver.secret = secret;
      return Object.assign(receiver, { subscriptionId: id });
    }

    function run(): void {
      const running = kit.run();
      closers.push(running.stop);
    }

    /** Emits so many events and waits until all deliveries are settled, moving the clock past each wait. */
    async function pass(count: number): Promise<void> {
      await kit.emit(...Array.from({ length: count }, () => ({})));
      await eventually(
        async () => {
          clock.step(1);
          // By one statement: an outcome that ends the last delivery may put an event into the outbox.
          const { rows } = await sql<{ readonly left: number }>`
            select (select count(*) from outbox_entries) + (select count(*) from webhooks_queue) as "left"
          `.execute(kit.tables);
          return Number(rows[0]?.left);
        },
        (left) => left === 0,
        30_000,
      );
    }

    it("410 disables at once; the monitor receives which event is missing and that the subscription ended (R-X313)", async () => {
      const gone = await subscriber("gone", ["*"], { answer: { status: 410 } });
      const monitor = await subscriber("monitor", ["delivery.exhausted", "subscription.*"]);
      run();
      await pass(1);
      const told = [(await monitor.next()).event, (await monitor.next()).event];
      expect(told.map(({ type, data }) => [type, data.subscriptionId, data.reason ?? data.stateReason])).toEqual(
        expect.arrayContaining([
          ["delivery.exhausted", gone.subscriptionId, "gone"],
          ["subscription.disabled", gone.subscriptionId, "gone"],
        ]),
      );
      expect(told.find(({ type }) => type === "delivery.exhausted").data.eventId).toBe(gone.received[0]?.webhookId);
    });

    it("five days of failures only: one warning, then the end, and no POST afterwards (R-E12)", async () => {
      const down = await subscriber("down", ["*"], { answer: { status: 500 } });
      const monitor = await subscriber("monitor", ["subscription.failing", "subscription.disabled"]);
      run();
      await pass(8);
      clock.step(60 * HOUR);
      await pass(1);
      const warning = (await monitor.next()).event;
      clock.set(new Date(warning.data.disablesAt));
      await pass(10);
      const end = (await monitor.next()).event;
      expect([warning, end].map(({ type, data }) => [type, data.subscriptionId, data.state, data.stateReason])).toEqual(
        [
          ["subscription.failing", down.subscriptionId, "active", null],
          ["subscription.disabled", down.subscriptionId, "disabled", "failing"],
        ],
      );
      const before = down.received.length;
      await pass(2);
      expect(down.received.length).toBe(before);
      expect(monitor.received).toHaveLength(2);
    });
  });
});
