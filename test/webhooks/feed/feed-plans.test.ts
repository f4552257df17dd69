import { type CompiledQuery, sql } from "kysely";
import { feedRepository } from "../../../src/webhooks/feed/feed-repository.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eachStore } from "../../support/stores.ts";

/** The lines of a plan that read a table of deliveries. */
const reads = (plan: readonly string[]): readonly string[] =>
  plan.filter((line) => /(SEARCH|SCAN|Scan).*webhooks_(queue|settled)/.test(line));

eachStore((dialect, open) => {
  it("a page of a feed is read along one index of each place and state, from the cursor on (R-X287)", async () => {
    const { store } = await open([webhooksMigrations]);
    const plan = await store
      .view<WebhooksTables>()
      .transaction()
      .execute(async (tx) => {
        // An empty table is otherwise read whole, whatever its indexes.
        if (dialect === "postgres") await sql`set local enable_seqscan = off`.execute(tx);
        const executor = tx.getExecutor();
        const asked = jest.spyOn(executor, "executeQuery");
        await feedRepository(tx).list("subscription_1" as never, { after: 41, until: 99 }, 10);
        const [query] = asked.mock.calls.map(([one]) => one as CompiledQuery);
        asked.mockRestore();
        const explain = dialect === "sqlite" ? "explain query plan" : "explain";
        const text = `${explain} ${query?.sql}`;
        const { rows } = await executor.executeQuery<Record<string, unknown>>(
          { ...(query as CompiledQuery), sql: text },
          // The versions of kysely differ in whether the executor is given an id.
          { queryId: "plan" } as never,
        );
        return rows.map((row) => String(row.detail ?? row["QUERY PLAN"]));
      });
    const found = reads(plan);
    expect(found).toHaveLength(5);
    expect(found.filter((line) => /_by_subscription/.test(line) && !/\bSCAN\b|Seq Scan/.test(line))).toEqual(found);
  });
});
