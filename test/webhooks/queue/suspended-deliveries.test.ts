import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { webhooksMigrations, webhooksRestored } from "../../../src/webhooks/services.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { settingsFor, type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

/** Fewer than one transaction releases. */
const COUNT = 300;

eachStore((_, open) => {
  describe("deliveries that a restored store suspends (R-X248)", () => {
    let opened: TestStore;
    let kit: WebhooksKit;
    beforeEach(async () => {
      opened = await open([webhooksMigrations]);
      kit = webhooksKit(opened);
      await kit.subscribe();
    });

    async function suspend(count: number): Promise<void> {
      await kit.emit(...Array.from({ length: count }, () => ({})));
      await kit.relay();
      const { store, wake } = opened;
      const { clock } = kit;
      const restored = webhooksRestored({ store, wake, clock, random: systemRandom, settings: settingsFor() });
      await store
        .view()
        .transaction()
        .execute((tx) => restored.suspendAll(tx, clock.now()));
    }

    it.each([
      ["released", false],
      ["cancelled", true],
    ])("are %s once by operators who ask at once, and none of them learns that some are left", async (_, cancel) => {
      await suspend(COUNT);
      const racers = await opened.racers(3);
      const operators = racers.map((racer) => webhooksKit(racer, { clock: kit.clock }).operator);
      const answers = await Promise.all(operators.map((operator) => operator.releaseDeliveries({ cancel })));
      const counts = answers.map(({ released }) => released);
      expect(counts.toSorted((one, other) => one - other)).toEqual([0, 0, COUNT]);
      expect(answers.map(({ left }) => left)).toEqual([0, 0, 0]);
    });
  });
});
