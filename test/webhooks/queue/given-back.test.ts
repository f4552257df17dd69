import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { giveBack } from "../../../src/webhooks/queue/outcomes-service.ts";
import { queueRepository } from "../../../src/webhooks/queue/queue-repository.ts";
import { embeddedRetryEngine } from "../../../src/webhooks/queue/retry-engine.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eachStore, inTransaction } from "../../support/stores.ts";
import { ACKNOWLEDGED, OutcomeClass, openKit } from "../webhooks-kit.ts";

const HOUR_MS = 3_600_000;

eachStore((_, open) => {
  describe("a claim whose request never left", () => {
    it("is given back by its own number alone: a later claim keeps it", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      const lost = await kit.claimOne();
      kit.clock.step(HOUR_MS);
      expect(await kit.claim()).toEqual([]);
      kit.clock.step(HOUR_MS);
      const [present] = await kit.claim();
      expect(present).toMatchObject({ deliveryId: lost.deliveryId, fence: lost.fence + 1 });
      const { store, wake } = kit.opened;
      const changes = createChanges<WebhooksTables>({ store, wake, clock: kit.clock, random: systemRandom });
      const deps = { queue: queueRepository(store.view(), deliveryMoves), retryEngine: embeddedRetryEngine };
      const claims = [{ id: lost.deliveryId as never, fence: lost.fence }];
      await changes.run((change) => giveBack(deps, change, claims, { engine: false }));
      expect(await kit.record(present as typeof lost, ACKNOWLEDGED)).toBe(1);
    });

    it("waits again by its own number alone, and while it is under way", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      const { fence } = await kit.claimOne();
      const { sequence } = await kit.tables.selectFrom("webhooks_queue").select("sequence").executeTakeFirstOrThrow();
      const dueAt = kit.clock.now();
      const wait = (by: number) =>
        inTransaction(kit.opened.store.view<WebhooksTables>(), (tx) =>
          queueRepository(kit.opened.store.view(), deliveryMoves).endClaims(
            tx,
            [{ sequence, fence: by, state: "pending", dueAt }],
            dueAt,
          ),
        );
      const numbers = [fence - 1, fence + 1, fence, fence];
      const ended: number[][] = [];
      for (const by of numbers) ended.push([...(await wait(by))]);
      expect(ended).toEqual([[], [], [sequence], []]);
    });

    it("is offered again after the worker's pause, or ten minutes", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      const claimed = await kit.claimOne();
      const unsent = { class: OutcomeClass.NOT_SENT, httpStatus: null, pauseMs: HOUR_MS };
      expect(await kit.record(claimed, unsent)).toBe(1);
      kit.clock.step(599_999);
      expect(await kit.claim()).toEqual([]);
      kit.clock.step(1);
      expect(await kit.claim()).toMatchObject([{ deliveryId: claimed.deliveryId, attemptNumber: 1 }]);
    });
  });
});
