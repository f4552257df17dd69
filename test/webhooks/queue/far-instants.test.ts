import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { farInstantRepository } from "../../../src/webhooks/queue/far-instant-repository.ts";
import { farInstantsLoop } from "../../../src/webhooks/queue/far-instants-loop.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { silentLog } from "../../support/silent-log.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const AHEAD = 500 * DAY;
const EXACT = { "webhook-jitter": "0" };

const attemptsOf = async (kit: WebhooksKit) => {
  const { deliveries } = await kit.operator.listDeliveries({ states: [], limit: 10 });
  return deliveries.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome));
};

eachStore((_, open) => {
  let opened: TestStore;
  beforeEach(async () => {
    opened = await open([webhooksMigrations]);
  });

  const bringNear = ({ clock }: WebhooksKit) =>
    createChanges<WebhooksTables>({ ...opened, clock, random: systemRandom }).run(({ db, at }) =>
      farInstantRepository.bringNear(db, at),
    );

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

it.each([
  [10 * MINUTE - 1, 0],
  [10 * MINUTE, 1],
])("a process that has run for %i ms looks %i times: its clock may be behind at first (R-X373)", async (ran, looks) => {
  const ending = new AbortController();
  const run = jest.fn(async () => 0);
  const farInstants = { bringNear: async () => 0 };
  const loop = farInstantsLoop({ changes: { run } as never, farInstants, log: silentLog, ranMs: () => ran });
  const ended = loop.run(ending.signal);
  ending.abort();
  await ended;
  expect(run).toHaveBeenCalledTimes(looks);
});
