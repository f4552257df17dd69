import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { webhooksRestored } from "../../../src/webhooks/services.ts";
import { eachStore, inTransaction } from "../../support/stores.ts";
import { openKit, settingsFor, type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

const [REFUSED, LOST] = ["refused", "lost"];
/** Fewer than one transaction releases. */
const COUNT = 300;

eachStore((_, open) => {
  describe("deliveries that a restored store suspends (R-X248)", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
      await kit.subscribe();
    });

    async function suspend(count: number): Promise<void> {
      await kit.emit(...Array.from({ length: count }, () => ({})));
      await kit.relay();
      await suspendAll();
    }

    async function suspendAll(): Promise<void> {
      const { store, wake } = kit.opened;
      const { clock } = kit;
      const restored = webhooksRestored({ store, wake, clock, random: systemRandom, settings: settingsFor() });
      await inTransaction(store.view(), (tx) => restored.suspendAll(tx, clock.now()));
    }

    it.each([
      ["released", false],
      ["cancelled", true],
    ])("are %s once by operators who ask at once, and none of them learns that some are left", async (_, cancel) => {
      await suspend(COUNT);
      const racers = await kit.opened.racers(3);
      const operators = racers.map((racer) => webhooksKit(racer, { clock: kit.clock }).operator);
      const answers = await Promise.all(operators.map((operator) => operator.releaseDeliveries({ cancel })));
      const counts = answers.map(({ released }) => released);
      expect(counts.toSorted((one, other) => one - other)).toEqual([0, 0, COUNT]);
      expect(answers.map(({ left }) => left)).toEqual([0, 0, 0]);
    });

    /** What says when something takes the deliveries up, which a suspended one has none of. */
    const takenUpBy = () =>
      kit.tables
        .selectFrom("webhooks_queue")
        .select(["lane", "due_at", "lease_until", "started_at", "endpoint_url", "retry_at", "hand_over_at"])
        .distinct()
        .execute();
    const AT_NO_TIME = {
      ...{ lane: null, due_at: null, lease_until: null, started_at: null, endpoint_url: null },
      ...{ retry_at: null, hand_over_at: null },
    };
    const states = async () => (await kit.deliveries()).map(({ state, attempts }) => [state, ...attempts]);

    it("wait for nothing from then on; what was under way is lost, and settled where no attempt was left", async () => {
      kit = webhooksKit(kit.opened, {
        clock: kit.clock,
        flags: { "webhook-attempt-delays": "1s,2s", "webhook-jitter": "0" },
      });
      await kit.record(await kit.claimOne());
      kit.clock.step(1_000);
      for (const second of await kit.claim()) await kit.record(second);
      await kit.record(await kit.claimOne());
      kit.clock.step(2_000);
      const again = await kit.claim();
      const underWay = [...again, await kit.claimOne()];
      await kit.record(await kit.claimOne());
      await kit.emit();
      await kit.relay();
      await suspendAll();
      expect(underWay.map(({ attemptNumber }) => attemptNumber)).toEqual([3, 2, 1]);
      expect(await takenUpBy()).toEqual([AT_NO_TIME]);
      expect(await states()).toEqual([
        ["exhausted", REFUSED, REFUSED, LOST],
        ["pending", REFUSED, LOST],
        ["pending", LOST],
        ["pending", REFUSED],
        ["pending"],
      ]);
      for (const claimed of underWay) expect(await kit.record(claimed)).toBe(0);
      kit.clock.step(30 * 86_400_000);
      expect(await kit.claim()).toEqual([]);
      expect(await kit.operator.releaseDeliveries({ cancel: false })).toEqual({ released: 4, left: 0 });
      // The process before the restore may have given out the number that follows.
      const released = await kit.claim();
      expect(released.map(({ fence, attemptNumber }) => [fence, attemptNumber])).toEqual([
        [4, 3],
        [3, 2],
        [3, 2],
        [2, 1],
      ]);
    });

    it("wait for no retry engine either", async () => {
      kit = webhooksKit(kit.opened, { clock: kit.clock, retries: "temporal" });
      await kit.record(await kit.claimOne());
      await suspendAll();
      expect(await takenUpBy()).toEqual([AT_NO_TIME]);
    });
  });
});
