import fc from "fast-check";
import { newTimedId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { newDeliveryRepository } from "../../../src/webhooks/deliveries/new-delivery-repository.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { onPostgres, type TestStore } from "../../support/stores.ts";
import { openKit, type WebhooksKit } from "../webhooks-kit.ts";
import { emitted, idsOf, readFeed } from "./feed-kit.ts";

/** A relay whose transaction has made its delivery, and takes its time to commit. */
interface SlowRelay {
  readonly eventId: string;
  commit(): Promise<void>;
  fail(): Promise<void>;
}

/** Of the present test: one that fails must not leave a transaction open. */
const relays: SlowRelay[] = [];

async function slowRelay({ store, wake }: TestStore, kit: WebhooksKit, subscriptionId: string): Promise<SlowRelay> {
  const changes = createChanges<WebhooksTables>({ store, wake, clock: kit.clock, random: systemRandom });
  const at = kit.clock.now();
  const eventId = newTimedId("event", at, systemRandom);
  const made = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const done = changes.run(async ({ db }) => {
    await newDeliveryRepository(deliveryMoves).create(db, [
      {
        ...{ id: newTimedId("delivery", at, systemRandom), eventId, eventType: "user.updated", occurredAt: at },
        ...{ tenantId: undefined, subscriptionId: subscriptionId as never, endpointOrigin: "https://hooks.example" },
        ...{ state: "pending", reason: undefined, delaysMs: [], createdAt: at, dueAt: at, body: "{}" },
      },
    ]);
    made.resolve();
    await ending.promise;
  });
  await Promise.race([made.promise, done]);
  const relay: SlowRelay = {
    eventId,
    async commit() {
      ending.resolve();
      await done;
    },
    async fail() {
      ending.reject(new Error("The relay ends here."));
      await done.catch(() => undefined);
    },
  };
  relays.push(relay);
  return relay;
}

/** Reads what is new, as a consumer that keeps its cursor. */
function follower(kit: WebhooksKit, subscriptionId: string, start: string) {
  let after = start;
  return async (): Promise<readonly string[]> => {
    const page = await readFeed(kit, subscriptionId, { after, limit: 100 });
    after = page.next;
    return idsOf(page.events);
  };
}

onPostgres((open) => {
  describe("the feed while relays commit out of order (R-X288, decision 0063)", () => {
    let kit: WebhooksKit;
    let id: string;
    beforeEach(async () => {
      kit = await openKit(open);
      ({ id } = await kit.subscribe());
    });

    afterEach(async () => {
      for (const relay of relays.splice(0)) await relay.fail();
    });

    it("waits with what is behind a slow transaction, which keeps no delivery from being sent", async () => {
      const read = follower(kit, id, (await readFeed(kit, id)).next);
      const slow = await slowRelay(await kit.opened.again(), kit, id);
      await emitted(kit, 1);
      const [sent] = await kit.claim();
      expect(await read()).toEqual([]);
      await slow.commit();
      expect(await read()).toEqual([slow.eventId, sent?.eventId]);
      expect(await read()).toEqual([]);
    });

    it("goes on behind a transaction that failed", async () => {
      const read = follower(kit, id, (await readFeed(kit, id)).next);
      const slow = await slowRelay(await kit.opened.again(), kit, id);
      await emitted(kit, 1);
      expect(await read()).toEqual([]);
      await slow.fail();
      expect(await read()).toHaveLength(1);
    });

    it("waits with the deliveries of other subscriptions' slow relay as well, and shows what is before it", async () => {
      const other = await kit.subscribe({ label: "other", eventTypes: ["client.created"] });
      await emitted(kit, 2);
      const slow = await slowRelay(await kit.opened.again(), kit, other.id);
      await emitted(kit, 1);
      const read = follower(kit, id, (await readFeed(kit, id, { limit: 1 })).next);
      expect(await read()).toHaveLength(1);
      await slow.commit();
      expect(await read()).toHaveLength(1);
    });

    it("gives a follower every delivery once, in the order of its sequences, for any order of commits", async () => {
      const others = await kit.opened.racers(2);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(5), { minLength: 4, maxLength: 14 }), async (turns) => {
          const subscription = await kit.subscribe();
          const read = follower(kit, subscription.id, (await readFeed(kit, subscription.id)).next);
          const open = new Map<number, SlowRelay>();
          const expected: string[] = [];
          const got: string[] = [];
          for (const turn of [
            ...turns,
            ...[0, 1, 2, 3, 4, 5].filter((one) => turns.filter((t) => t === one).length % 2),
          ]) {
            const slow = open.get(turn);
            if (slow === undefined) {
              const made = await slowRelay(others[turn % 2] as TestStore, kit, subscription.id);
              expected.push(made.eventId);
              open.set(turn, made);
            } else {
              open.delete(turn);
              await slow.commit();
            }
            got.push(...(await read()));
          }
          expect(got).toEqual(expected);
        }),
        { numRuns: 20 },
      );
    });
  });
});
