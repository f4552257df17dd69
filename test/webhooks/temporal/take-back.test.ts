import { sql } from "kysely";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { handOverRepository } from "../../../src/webhooks/temporal/hand-over-repository.ts";
import { eachStore, onPostgres, type TestStore } from "../../support/stores.ts";

const putInHands = ({ store }: TestStore, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      sql`insert into webhooks_queue (id, event_id, event_type, occurred_at, subscription_id, endpoint_origin, round, attempts,
          delays, created_at, fence, made, claim, retry_at)
        values (${`delivery_${index}`}, ${`event_${index}`}, 'user.updated', 1, 'subscription_1', 'https://hooks.example', 1,
          1, '[1000]', 1, 1, '[]', '', ${1_000 + index})`.execute(store.view()),
    ),
  );

const waiting = async ({ store }: TestStore) => {
  const rows = await store
    .view<WebhooksTables>()
    .selectFrom("webhooks_queue")
    .select(["due_at", "retry_at"])
    .orderBy("id")
    .execute();
  return rows.map(({ due_at, retry_at }) => [due_at, retry_at]);
};

const begin = ({ store }: TestStore) => store.view<WebhooksTables>().startTransaction().execute();
const repositoryOf = ({ store }: TestStore) => handOverRepository(store.view<WebhooksTables>(), deliveryMoves);

eachStore((_, open) => {
  it("puts what waits for an engine outside the store into the store's own queue, a batch at a time (R-X74)", async () => {
    const test = await open([webhooksMigrations]);
    await putInHands(test, 3);
    const tx = await begin(test);
    const taken = [await repositoryOf(test).takeBack(tx, 2), await repositoryOf(test).takeBack(tx, 2)];
    await tx.commit().execute();
    expect([taken, await waiting(test)]).toEqual([
      [2, 1],
      [
        [1_000, null],
        [1_001, null],
        [1_002, null],
      ],
    ]);
  });
});

onPostgres((open) => {
  it("takes each back once when two processes start without the engine at the same time", async () => {
    const test = await open([webhooksMigrations]);
    await putInHands(test, 3);
    const [one, other] = (await test.racers(2)) as [TestStore, TestStore];
    const [first, second] = [await begin(one), await begin(other)];
    const taken = await repositoryOf(one).takeBack(first, 500);
    const late = repositoryOf(other).takeBack(second, 500);
    await sql`select pg_sleep(0.2)`.execute(test.store.view());
    await first.commit().execute();
    expect([taken, await late]).toEqual([3, 0]);
    await second.commit().execute();
    expect(await waiting(test)).toEqual([
      [1_000, null],
      [1_001, null],
      [1_002, null],
    ]);
  });
});
