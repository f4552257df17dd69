import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const AHEAD = 500 * DAY;
const EXACT = { "webhook-jitter": "0" };

/** Runs one pass of the loop that looks for such instants. */
async function bringNear(kit: WebhooksKit): Promise<void> {
  const ending = new AbortController();
  await kit.loops
    .find(({ name }) => name === "webhook-far-instants")
    ?.run(ending.signal, async (work) => {
      const result = await work(ending.signal);
      ending.abort();
      return result;
    });
}

const attemptsOf = async (kit: WebhooksKit) => {
  const { deliveries } = await kit.operator.listDeliveries({ states: [], limit: 10 });
  return deliveries.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome));
};

eachStore((_, open) => {
  let opened: TestStore;
  beforeEach(async () => {
    opened = await open([webhooksMigrations]);
  });

  describe("what a clock that was ahead has written (R-X373, F20)", () => {
    it("a retry that is due in 500 days is due now", async () => {
      const kit = webhooksKit(opened, { flags: EXACT });
      await kit.subscribe();
      kit.clock.step(AHEAD);
      await kit.record(await kit.claimOne());
      kit.clock.step(-AHEAD);
      await bringNear(kit);
      expect((await kit.claim()).map(({ attemptNumber }) => attemptNumber)).toEqual([2]);
    });

    it("an attempt whose outcome never comes is lost after a lease, and the next one follows", async () => {
      const kit = webhooksKit(opened, { flags: EXACT });
      await kit.subscribe();
      kit.clock.step(AHEAD);
      await kit.claimOne();
      kit.clock.step(-AHEAD);
      await bringNear(kit);
      kit.clock.step(11 * MINUTE);
      await kit.claim();
      kit.clock.step(MINUTE);
      expect((await kit.claim()).map(({ attemptNumber }) => attemptNumber)).toEqual([2]);
      expect(await attemptsOf(kit)).toEqual(["lost", "in_flight"]);
    });

    it("an attempt that is under way meanwhile is recorded as it ends", async () => {
      const kit = webhooksKit(opened, { flags: EXACT });
      await kit.subscribe();
      kit.clock.step(AHEAD);
      const claimed = await kit.claimOne();
      kit.clock.step(-AHEAD);
      await bringNear(kit);
      expect(await kit.record(claimed)).toBe(1);
      expect(await attemptsOf(kit)).toEqual(["refused"]);
    });

    it("a wait of a day, which an endpoint has asked for, is a wait of a day", async () => {
      const kit = webhooksKit(opened, { flags: EXACT });
      await kit.subscribe();
      await kit.record(await kit.claimOne(), { httpStatus: 503, retryAfter: "86400" });
      await bringNear(kit);
      kit.clock.step(DAY - 1);
      expect(await kit.claim()).toEqual([]);
      kit.clock.step(1);
      expect((await kit.claim()).map(({ attemptNumber }) => attemptNumber)).toEqual([2]);
    });

    it("is offered to Temporal again, and its workflow waits no more", async () => {
      const kit = webhooksKit(opened, { flags: EXACT, retries: "temporal" });
      await kit.subscribe();
      kit.clock.step(AHEAD);
      const claimed = await kit.claimOne();
      await kit.record(claimed);
      kit.clock.step(-AHEAD);
      await bringNear(kit);
      const { handOvers } = await kit.dispatch.claimHandOvers({ limit: 50, waitMs: 0 });
      expect(handOvers.map(({ standing }) => standing?.waitMs)).toEqual([0]);
      const { deliveryId, round } = claimed;
      const { attempt } = await kit.dispatch.claimOne({ round: { deliveryId, round }, now: false });
      expect(attempt?.attemptNumber).toBe(2);
    });
  });
});
