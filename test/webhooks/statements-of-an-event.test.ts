import type { KyselyPlugin } from "kysely";
import type { ClaimedAttempt } from "../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { isInsideChange } from "../../src/runtime/basis/inside-change.ts";
import type { Database } from "../../src/runtime/database/database.ts";
import { webhooksMigrations } from "../../src/webhooks/services.ts";
import { eachStore, type TestStore } from "../support/stores.ts";
import { ACKNOWLEDGED, webhooksKit } from "./webhooks-kit.ts";

/** The same store, with a count of the statements of its changes; begin and commit are one more each on PostgreSQL. */
function counting(opened: TestStore) {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (isInsideChange()) count++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const store = {
    ...opened.store,
    view: <T>() => opened.store.view<T>().withPlugin(plugin) as Database<T>,
  };
  return {
    opened: { ...opened, store },
    /** Of the work, and of nothing before it. */
    async of(work: () => Promise<unknown>): Promise<number> {
      count = 0;
      await work();
      return count;
    },
  };
}

/** Statements of one transaction each, for any number of events in it. A new one is a round trip for every event. */
const EXPECTED = {
  // entries out of the outbox · their subscriptions · deliveries · bodies · the events themselves (R-X292)
  relay: { sqlite: 5, postgres: 5 },
  // under way per origin · lanes · claim with bodies · subscriptions with secrets
  claim: { sqlite: 4, postgres: 4 },
  // the claims that are reported · settled (SQLite appends and removes in two)
  acknowledged: { sqlite: 3, postgres: 2 },
  // the claims that are reported · put in wait
  refused: { sqlite: 2, postgres: 2 },
} as const;

eachStore((dialect, open) => {
  it("relay, claim and outcome of an event are as many statements as they were", async () => {
    const { opened, of } = counting(await open([webhooksMigrations]));
    const kit = webhooksKit(opened);
    await kit.subscribe();
    const claimed = async (counted: (count: number) => void = () => undefined) => {
      let attempts: readonly ClaimedAttempt[] = [];
      counted(
        await of(async () => {
          attempts = await kit.claim();
        }),
      );
      return attempts;
    };
    await kit.emit();
    const counts: Record<string, number> = { relay: await of(kit.relayOnce) };
    const [refused] = await claimed((count) => {
      counts.claim = count;
    });
    counts.refused = await of(() => kit.record(refused as ClaimedAttempt));
    await kit.emit();
    await kit.relayOnce();
    const [acknowledged] = await claimed();
    counts.acknowledged = await of(() => kit.record(acknowledged as ClaimedAttempt, ACKNOWLEDGED));
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(EXPECTED).map(([name, statements]) => [name, statements[dialect]])),
    );
  });
});
