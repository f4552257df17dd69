import { withScope } from "../../support/scope.ts";
import type { WebhookReceiver } from "../../support/webhook-receiver.ts";
import { present } from "../../support/world.ts";
import { eachEngine, type FlagsOf } from "../each-engine.ts";
import { openRetryKit, outcomesOf, type RetryKit, type Subscriber } from "../retry-kit.ts";

const DAY_MS = 86_400_000;
/** Waits during which what was planned can be seen on a busy machine, each shorter than the lease. */
const PLAN = { "webhook-attempt-delays": "4s,5s", "webhook-jitter": "0.5" };
/** A wait during which a busy machine does something else. */
const LATER = { status: 503, headers: { "retry-after": "8" } } as const;

/** What a subscriber sees of the engine: most of its time is waits, so those of all tests run at once. */
interface Scenario {
  readonly label: string;
  readonly apart: boolean;
  readonly run: (one: Subscriber) => Promise<void>;
  ended: Promise<void>;
}

/** What both engines promise: when, how often, and when not any more (R-E6, R-E8). */
function contract(flagsOf: FlagsOf): void {
  withScope((closeLater) => {
    let kit: RetryKit;
    const scenarios: Scenario[] = [];
    /** A test that waits for a scenario, which begins before the first test. */
    const seen = (label: string, run: Scenario["run"], { apart = false } = {}) => {
      const scenario: Scenario = { label, apart, run, ended: Promise.resolve() };
      scenarios.push(scenario);
      return () => scenario.ended;
    };

    /** Whom no POST may reach any more, looked at when the longest wait of the plan has long passed. */
    const left: { readonly receiver: WebhookReceiver; readonly posts: number }[] = [];
    beforeAll(async () => {
      kit = await openRetryKit(closeLater, {
        flags: { ...PLAN, "log-level": "error", ...(await flagsOf(closeLater)) },
      });
      const begin: (() => void)[] = [];
      for (const scenario of scenarios) {
        const one = await kit.subscriber(scenario.label, { apart: scenario.apart });
        begin.push(() => {
          scenario.ended = scenario.run(one);
          // Its test reports a failure.
          scenario.ended.catch(() => undefined);
        });
      }
      for (const one of begin) one();
    }, 180_000);

    it(
      "delivers at the second attempt, under one id and with the same bytes",
      seen("second", async (one) => {
        one.receiver.answerNext({ status: 503 });
        await one.emit();
        expect(await one.settled()).toMatchObject({ state: "DELIVERY_STATE_DELIVERED" });
        const [first, second] = one.receiver.received;
        expect(second?.webhookId).toBe(first?.webhookId);
        expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
      }),
    );

    it(
      "makes three attempts and never a fourth (R-E8)",
      seen("thrice", async (one) => {
        one.receiver.answerNext({ status: 500 }, "reset", {
          status: 302,
          headers: { location: "http://127.0.0.1:1/" },
        });
        await one.emit();
        const delivery = await one.settled();
        expect([delivery.state, delivery.reason, ...outcomesOf(delivery)]).toEqual([
          "DELIVERY_STATE_EXHAUSTED",
          "redirect",
          "refused",
          "connection",
          "redirect",
        ]);
        left.push({ receiver: one.receiver, posts: 3 });
      }),
    );

    it(
      "waits as the plan says, half longer or shorter at most (R-E6)",
      seen("jitter", async (one) => {
        one.receiver.answerNext({ status: 500 }, { status: 500 }, { status: 500 });
        await one.emit();
        const waits: number[] = [];
        for (const count of [1, 2]) {
          const { attempts, dueAt } = await one.attempts(count);
          waits.push(present(dueAt).getTime() - present(attempts[count - 1]?.finishedAt).getTime());
        }
        const { attempts } = await one.settled();
        const startedAfter = attempts
          .slice(1)
          .map(({ startedAt }, index) => present(startedAt).getTime() - present(attempts[index]?.finishedAt).getTime());
        expect(waits[0]).toBeGreaterThanOrEqual(2_000);
        expect(waits[0]).toBeLessThanOrEqual(6_000);
        expect(waits[1]).toBeGreaterThanOrEqual(2_500);
        expect(waits[1]).toBeLessThanOrEqual(7_500);
        // Never before it is due.
        expect(startedAfter.map((ms, index) => ms >= (waits[index] ?? 0))).toEqual([true, true]);
      }),
    );

    it(
      "honours Retry-After, to a day at most (R-E6)",
      seen("later", async (one) => {
        one.receiver.answerNext({ status: 503, headers: { "retry-after": "999999" } });
        await one.emit();
        const { attempts, dueAt } = await one.attempts(1);
        expect(present(dueAt).getTime() - present(attempts[0]?.finishedAt).getTime()).toBe(DAY_MS);
      }),
    );

    it(
      "stops at 410 and disables the subscription (R-E6)",
      seen("gone", async (one) => {
        one.receiver.answerNext({ status: 500 }, { status: 410 });
        await one.emit();
        const delivery = await one.settled();
        expect([delivery.state, delivery.reason]).toEqual(["DELIVERY_STATE_EXHAUSTED", "gone"]);
        const { subscriptions } = await kit.gatehouse.webhooks.listSubscriptions({ states: [] });
        expect(subscriptions.find(({ id }) => id === one.subscriptionId)?.state).toBe("SUBSCRIPTION_STATE_DISABLED");
        expect(one.receiver.received).toHaveLength(2);
      }),
    );

    it(
      "skips, without an attempt, a delivery whose subscription is disabled while it waits",
      seen("meanwhile", async (one) => {
        // Long enough for the second event to come first on a busy machine too.
        one.receiver.answerNext(LATER, { status: 410 });
        await one.emit();
        await one.receiver.next();
        await one.emitAgain();
        const delivery = await one.settled();
        expect([delivery.state, delivery.reason, ...outcomesOf(delivery)]).toEqual([
          "DELIVERY_STATE_SKIPPED",
          "subscription_disabled",
          "refused",
        ]);
      }),
    );

    /** Ends what the waiting delivery needs, and looks at what became of it. */
    const expectHeldBack = (label: string, end: (of: Subscriber) => Promise<unknown>, expected: readonly string[]) =>
      seen(
        label,
        async (one) => {
          one.receiver.answerNext(LATER);
          await one.emit();
          await one.attempts(1);
          await end(one);
          const delivery = await one.settled();
          expect([delivery.state, delivery.reason, ...outcomesOf(delivery)]).toEqual([...expected, "refused"]);
          expect(one.receiver.received).toHaveLength(1);
        },
        { apart: true },
      );

    it(
      "makes no further attempt of a waiting delivery when its instance integration is un-configured (R-X54, W25)",
      expectHeldBack(
        "held-unconfigured",
        ({ instanceIntegrationId }) =>
          kit.gatehouse.workforce.configureInstanceIntegration({
            ...{ requestId: "", instanceIntegrationId, configured: false },
          }),
        ["DELIVERY_STATE_SKIPPED", "instance_integration_unconfigured"],
      ),
    );

    it(
      "makes no further attempt of a waiting delivery when its instance integration is revoked (R-X54, W25)",
      expectHeldBack(
        "held-revoked",
        ({ instanceIntegrationId }) =>
          kit.gatehouse.workforce.revokeInstanceIntegration({ requestId: "", instanceIntegrationId }),
        ["DELIVERY_STATE_CANCELLED", "instance_integration_revoked"],
      ),
    );

    it(
      "makes no further attempt of a delivery that was cancelled while it waited",
      seen("cancelled", async (one) => {
        one.receiver.answerNext(LATER);
        await one.emit();
        const { id } = await one.attempts(1);
        await kit.dispatch.cancelDelivery({ round: { deliveryId: id, round: 1 } });
        const delivery = await one.settled();
        expect([delivery.state, delivery.reason, ...outcomesOf(delivery)]).toEqual([
          "DELIVERY_STATE_CANCELLED",
          "operator",
          "refused",
        ]);
        left.push({ receiver: one.receiver, posts: 1 });
      }),
    );

    it("counts an attempt as spent when its outcome is lost with its worker, and continues (R-E8)", async () => {
      await Promise.allSettled(scenarios.map(({ ended }) => ended));
      const one = await kit.subscriber("killed");
      one.receiver.answerNext({ status: 500 }, "silence");
      await one.emit();
      await one.receiver.next();
      await one.receiver.next();
      await kit.gatehouse.programs.all?.end("SIGKILL");
      await kit.gatehouse.restart("all");
      const delivery = await one.settled();
      expect([delivery.state, ...outcomesOf(delivery)]).toEqual([
        "DELIVERY_STATE_DELIVERED",
        "refused",
        "lost",
        "acknowledged",
      ]);
      expect(one.receiver.received).toHaveLength(3);
      // It waited for a lease, which is longer than any wait of the plan: no exhausted or cancelled delivery was sent again (R-E8).
      expect(left.map(({ receiver }) => receiver.received.length)).toEqual(left.map(({ posts }) => posts));
      expect(left).toHaveLength(2);
    }, 180_000);
  });
}

eachEngine("retries", contract);
