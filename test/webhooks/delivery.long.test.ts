import { eventually } from "../support/eventually.ts";
import type { Closer } from "../support/scope.ts";
import { eachStore } from "../support/stores.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import {
  clientCreated,
  openKit,
  runningClock,
  TENANT_ID,
  userUpdated,
  type WebhooksKit,
  webhooksKit,
} from "./webhooks-kit.ts";

/** Retries at once, so that three attempts take no time. */
const QUICK = { "webhook-attempt-delays": "20ms,20ms" };
/** For endpoints that never answer; still long enough for a busy machine. */
const SHORT = { ...QUICK, "webhook-timeout-ms": "4000" };

eachStore((_, open) => {
  describe("from the outbox to the subscriber", () => {
    let kit: WebhooksKit;
    let closers: Closer[];
    beforeEach(async () => {
      closers = [];
      kit = await openKit(open, { flags: QUICK, clock: runningClock });
    });
    afterEach(async () => {
      for (const close of closers.toReversed()) await close();
    });

    /** A receiver with a subscription of its own; what it gets is verified by standardwebhooks and against the contract. */
    async function subscriber(
      label: string,
      options: Parameters<typeof startWebhookReceiver>[0] = {},
    ): Promise<WebhookReceiver> {
      const receiver = await startWebhookReceiver(options);
      closers.push(() => receiver.stop());
      const { secret } = await kit.subscribe({ label, endpointUrl: receiver.url });
      receiver.secret = secret;
      return receiver;
    }

    function run(one: WebhooksKit = kit): { stop(): Promise<void> } {
      const running = one.run();
      closers.push(running.stop);
      return running;
    }

    const settled = (count: number) =>
      eventually(kit.deliveries, (all) => all.filter(({ state }) => state !== "pending").length >= count);

    it("delivers each event to each subscriber, with the receiver's own link", async () => {
      const receivers = [await subscriber("one"), await subscriber("two")];
      run();
      await kit.emit(userUpdated(), clientCreated(TENANT_ID));
      for (const receiver of receivers) {
        const got = [await receiver.next(), await receiver.next()];
        expect(got.map(({ event }) => event.type).sort()).toEqual(["client.created", "user.updated"]);
      }
      expect((await settled(4)).map(({ state, attempts }) => [state, ...attempts])).toEqual(
        Array.from({ length: 4 }, () => ["delivered", "acknowledged"]),
      );
    });

    it("retries up to three attempts with one id and the same bytes, until one is acknowledged (spec §6 rule 1, I5)", async () => {
      const receiver = await subscriber("one");
      receiver.answerNext({ status: 500 }, "reset");
      run();
      await kit.emit();
      const got = [await receiver.next(), await receiver.next(), await receiver.next()];
      expect(new Set(got.map(({ webhookId }) => webhookId)).size).toBe(1);
      expect(new Set(got.map(({ body }) => body.toString("hex"))).size).toBe(1);
      expect(await settled(1)).toMatchObject([
        { state: "delivered", attempts: ["refused", "connection", "acknowledged"] },
      ]);
    });

    it("stops after the third attempt, and continues with the next event", async () => {
      const receiver = await subscriber("one");
      receiver.answerNext({ status: 500 }, { status: 302, headers: { location: receiver.url } }, "silence");
      run(webhooksKit(kit.opened, { flags: SHORT, clock: runningClock }));
      await kit.emit();
      expect(await settled(1)).toMatchObject([
        { state: "exhausted", reason: "timeout", attempts: ["refused", "redirect", "timeout"] },
      ]);
      const [{ eventId } = { eventId: "" }] = await kit.deliveries();
      await kit.emit();
      await settled(2);
      expect(receiver.countOf(eventId)).toBe(3);
      expect(receiver.received).toHaveLength(4);
    });

    it("stops at 410, and only there (R-E6)", async () => {
      const gone = await subscriber("gone", { answer: { status: 410 } });
      const well = await subscriber("well");
      run();
      await kit.emit();
      await settled(2);
      await kit.emit();
      const states = (await settled(4)).map(({ subscriptionLabel, state }) => `${subscriptionLabel} ${state}`).sort();
      expect(states).toEqual(["gone exhausted", "gone skipped", "well delivered", "well delivered"]);
      expect([gone.received.length, well.received.length]).toEqual([1, 2]);
    });

    it("records attempts while no endpoint listens", async () => {
      const receiver = await subscriber("down");
      await receiver.stop();
      run();
      await kit.emit();
      expect(await settled(1)).toMatchObject([
        { state: "exhausted", reason: "connection", attempts: ["connection", "connection", "connection"] },
      ]);
    });

    it("several dispatchers and relays at once send each event once", async () => {
      const receiver = await subscriber("one");
      for (const racer of await kit.opened.racers(3)) run(webhooksKit(racer, { flags: QUICK, clock: runningClock }));
      const events = Array.from({ length: 200 }, () => userUpdated());
      await kit.emit(...events);
      const deliveries = await settled(200);
      expect(deliveries.map(({ attempts }) => attempts.join())).toEqual(events.map(() => "acknowledged"));
      expect(receiver.received).toHaveLength(200);
      expect(new Set(receiver.received.map(({ webhookId }) => webhookId)).size).toBe(200);
    });

    it("delivers to others while one endpoint never answers", async () => {
      const silent = await subscriber("silent", { answer: "silence" });
      await kit.emit(...Array.from({ length: 100 }, () => userUpdated()));
      await kit.relay();
      const quick = await subscriber("quick");
      run();
      await kit.emit(...Array.from({ length: 20 }, () => userUpdated()));
      for (let received = 0; received < 20; received++) await quick.next();
      // Nothing of the silent one has ended yet: no other attempt waited for its deadline of 15 s.
      const attempts = (await kit.deliveries()).filter(({ subscriptionLabel }) => subscriptionLabel === "silent");
      expect(new Set(attempts.flatMap((delivery) => delivery.attempts))).toEqual(new Set(["in_flight"]));
      await silent.stop();
    });

    it("loses no outcome when it stops under load: attempts under way finish and are reported", async () => {
      await subscriber("slow", { answer: { status: 204, delayMs: 100 } });
      const running = run();
      await kit.emit(...Array.from({ length: 120 }, () => userUpdated()));
      await eventually(kit.deliveries, (all) => all.some(({ attempts }) => attempts.length > 0));
      await running.stop();
      const attempts = (await kit.deliveries()).map((delivery) => delivery.attempts.join());
      expect(attempts).toContain("acknowledged");
      expect(attempts).not.toContain("in_flight");
      // Started again, it sends the rest.
      run();
      const states = (await settled(120)).map(({ state, attempts: made }) => `${state} ${made.join()}`);
      expect(new Set(states)).toEqual(new Set(["delivered acknowledged"]));
    });
  });
});
