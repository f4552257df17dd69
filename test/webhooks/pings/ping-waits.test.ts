import { DeliveryState } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { DELIVERIES_CHANNEL } from "../../../src/webhooks/deliveries/delivery.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore } from "../../support/stores.ts";
import { ACKNOWLEDGED, openKit, type WebhooksKit } from "../webhooks-kit.ts";

const MANY = 20;

eachStore((_, open) => {
  describe("requests that wait for one ping (R-X271)", () => {
    let kit: WebhooksKit;
    let id: string;
    beforeEach(async () => {
      kit = await openKit(open);
      ({ id } = await kit.subscribe());
    });
    const ping = (waitMs: number) => kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs });

    it("look for its end together, whatever wakes them, and get the same outcome", async () => {
      const waits = jest.spyOn(kit.opened.wake, "after");
      const looks = () => waits.mock.calls.filter(([channel]) => channel === DELIVERIES_CHANNEL).length;
      const all = Array.from({ length: MANY }, () => ping(30_000));
      // It takes its turn behind them: when it has its answer, all of them wait.
      await ping(0);
      await eventually(async () => looks(), Boolean);
      for (let wakes = 1; wakes <= 3; wakes++) {
        const before = looks();
        kit.opened.wake.signal(DELIVERIES_CHANNEL);
        await eventually(
          async () => looks(),
          (now) => now > before,
        );
      }
      // One for each wake-up; others, and looks that time alone has begun, leave room on a busy machine.
      expect(looks()).toBeLessThan(MANY);
      const [sent] = await kit.claim();
      if (sent === undefined) throw new Error("No ping was sent.");
      await kit.record(sent, ACKNOWLEDGED);
      const outcomes = (await Promise.all(all)).map((answer) => answer.ping?.state);
      expect(new Set(outcomes)).toEqual(new Set([DeliveryState.DELIVERED]));
      waits.mockRestore();
    });

    it("have each a time of their own", async () => {
      const long = ping(30_000);
      expect((await ping(50)).ping?.state).toBe(DeliveryState.PENDING);
      const [sent] = await kit.claim();
      if (sent === undefined) throw new Error("No ping was sent.");
      await kit.record(sent, ACKNOWLEDGED);
      expect((await long).ping?.state).toBe(DeliveryState.DELIVERED);
    });
  });
});
