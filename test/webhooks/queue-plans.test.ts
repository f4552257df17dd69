import { sql } from "kysely";
import { deliveryRepository } from "../../src/webhooks/deliveries/delivery-repository.ts";
import { newDeliveryRepository } from "../../src/webhooks/deliveries/new-delivery-repository.ts";
import { linesRepository } from "../../src/webhooks/queue/lines-repository.ts";
import { webhooksMigrations } from "../../src/webhooks/services.ts";
import type { WebhooksTables } from "../../src/webhooks/tables.ts";
import { planOf } from "../support/plan-kit.ts";
import { eachStore } from "../support/stores.ts";

const NO_MOVES = { settleRows: async () => new Set<number>(), attemptsOfFormer: async () => new Map() };

/** What a plan says of each read of an index: its condition. */
const conditions = (plan: readonly string[], index: RegExp): readonly string[] =>
  plan.filter((line) => index.test(line)).map((line) => /\((.*)\)$/.exec(line)?.[1] ?? line);

eachStore((dialect, open) => {
  const plan = async (ask: Parameters<typeof planOf<WebhooksTables>>[1]) => {
    const { store } = await open([webhooksMigrations]);
    return planOf({ dialect, store }, ask);
  };

  it("a step from line to line passes over what is ready of a line, however much it is (R-X305)", async () => {
    const position = { lane: "http://a.example", subscriptionId: "subscription_1" };
    const found = await plan((tx) =>
      linesRepository(tx as never).listLines(tx, { after: position, unprovenAfter: position, full: [], limit: 10 }),
    );
    const steps = {
      // Two stretches, each with a first line and those behind it.
      sqlite: () => conditions(found, /webhooks_queue_turns/).filter((one) => one === "lane=? AND subscription_id>?"),
      postgres: () => found.filter((line) => /Index Cond: \(\(lane = .*\) AND \(\(?subscription_id/.test(line)),
    };
    expect(steps[dialect]()).toHaveLength(4);
  });

  it("what an event has settled is read once for all of its receivers that are written together", async () => {
    const at = new Date(0);
    const found = await plan((tx) =>
      newDeliveryRepository(NO_MOVES as never).create(tx, [
        {
          ...{ id: "delivery_1", eventId: "event_1", eventType: "user.updated", subscriptionId: "subscription_1" },
          ...{ endpointOrigin: "https://a.example", delaysMs: [], occurredAt: at, createdAt: at, body: "{}" },
          ...{ state: "pending", dueAt: at },
        } as never,
      ]),
    );
    const once = { sqlite: /^LIST SUBQUERY/, postgres: /hashed SubPlan/ };
    expect(found.some((line) => once[dialect].test(line))).toBe(true);
    expect(found.filter((line) => /CORRELATED/.test(line))).toEqual([]);
  });

  it.each([
    ["of a state", {}, "state=? AND sequence>? AND sequence<?"],
    [
      "of a subscription and state",
      { subscriptionId: "subscription_1" },
      "subscription_id=? AND state=? AND sequence>? AND sequence<?",
    ],
  ])("a page of settled deliveries %s begins at its cursor and ends with them", async (_, filter, condition) => {
    const found = await plan((tx) =>
      deliveryRepository(tx as never, NO_MOVES as never).list({
        ...{ subscriptionId: undefined, deliveryId: undefined, eventId: undefined, states: ["exhausted"], before: 99 },
        ...{ limit: 10, ...filter },
      } as never),
    );
    const ranges = {
      sqlite: () => conditions(found, /webhooks_settled_by_/),
      postgres: () =>
        /webhooks_settled_by_\w+ on webhooks_settled[^\n]*\n\s*Index Cond: \(\(ROW\([^\n]* AND \(ROW\(/.test(
          found.join("\n"),
        )
          ? [condition]
          : [],
    };
    expect(ranges[dialect]()).toContain(condition);
    // Rows are read of those alone that are listed, not of all that the ranges find.
    const alone = {
      sqlite: /USING COVERING INDEX webhooks_settled_by_/,
      postgres: /Index Only Scan .*webhooks_settled_by_/,
    };
    expect(found.filter((line) => alone[dialect].test(line))).toHaveLength(1);
  });

  it("a page of rare subscriptions is read in the index of each, where almost all rows are another one's", async () => {
    const { store } = await open([webhooksMigrations]);
    const db = store.view<WebhooksTables>();
    await sql`
      insert into webhooks_settled (sequence, id, event_id, event_type, occurred_at, subscription_id, endpoint_origin, round,
        attempts, delays, created_at, fence, made, state, settled_at)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 3000)
      select n, 'delivery_' || n, 'event_' || n, 'user.updated', n, 'subscription_' || case when n < 3 then n else 3 end,
        'https://hooks.example', 1, 1, '[]', n, 1, '[]', 'delivered', n from numbers`.execute(db);
    await sql`analyze webhooks_settled`.execute(db);
    const found = await planOf<WebhooksTables>({ dialect, store }, (tx) =>
      deliveryRepository(tx, NO_MOVES).list({
        ...{ subscriptionId: undefined, deliveryId: undefined, eventId: undefined, states: [] },
        ...{ subscriptionIds: ["subscription_1", "subscription_2"], before: 2_000, limit: 10 },
      }),
    );
    const range = {
      sqlite:
        /USING COVERING INDEX (webhooks_settled_\w+) \(subscription_id=\? AND state=\? AND sequence>\? AND sequence<\?\)/,
      postgres: /Scan Backward using (webhooks_settled_\w+)/,
    };
    const indexes = found.flatMap((line) => range[dialect].exec(line)?.[1] ?? []);
    // On PostgreSQL all of them are planned once.
    expect(indexes).toEqual(Array({ sqlite: 2 * 4, postgres: 1 }[dialect]).fill("webhooks_settled_by_subscription"));
  });
});
