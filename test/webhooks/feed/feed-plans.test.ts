import { feedRepository } from "../../../src/webhooks/feed/feed-repository.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { planOf } from "../../support/plan-kit.ts";
import { eachStore } from "../../support/stores.ts";

/** The lines of a plan that read a table of deliveries. */
const readsOfDeliveries = (plan: readonly string[]): readonly string[] =>
  plan.filter((line) => /(SEARCH|SCAN|Scan).*webhooks_(queue|settled)/.test(line));

eachStore((dialect, open) => {
  it("a page of a feed is read along one index of each table and state, from the cursor on (R-X287)", async () => {
    const { store } = await open([webhooksMigrations]);
    const plan = await planOf<WebhooksTables>({ dialect, store }, (tx) =>
      feedRepository(tx).list("subscription_1" as never, { after: 41, until: 99 }, 10),
    );
    const found = readsOfDeliveries(plan);
    expect(found).toHaveLength(5);
    expect(found.filter((line) => /_by_subscription/.test(line) && !/\bSCAN\b|Seq Scan/.test(line))).toEqual(found);
  });
});
