import { sql } from "kysely";
import { newId } from "../../../src/runtime/basis/ids.ts";
import type { Store } from "../../../src/runtime/database/database.ts";
import { type Purpose, runFor } from "../../../src/runtime/database/deadlines.ts";
import { appendToOutbox, endOfOutbox, type OutboxEntry, takeFromOutbox } from "../../../src/runtime/outbox/outbox.ts";
import { watchStatements } from "../../support/asked-statements.ts";
import { seededRandom } from "../../support/random.ts";
import { eachStore, inTransaction, onPostgres, type TestStore } from "../../support/stores.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const random = seededRandom();

const entry = (id: string): OutboxEntry => ({
  eventId: newId("event", random),
  eventType: "guest.arrived",
  occurredAt: NOW,
  entity: { type: "guest", id },
  instanceId: "instance_1",
  tenantId: "client_1",
  data: { name: `Ada "${id}"`, seats: null },
  selfPath: "/v1/instance-integrations/{instanceIntegrationId}/guests/1",
});

const append = (store: Store, ...ids: readonly string[]) =>
  inTransaction(store.view(), async (tx) => {
    for (const id of ids) await appendToOutbox(tx, entry(id));
  });

const take = async ({ store }: TestStore, limit: number) => {
  const taken = await inTransaction(store.view(), (tx) => takeFromOutbox(tx, limit));
  return taken.map(({ entity }) => entity.id);
};

const range = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(3, "0"));

eachStore((_, open) => {
  it.each<[string, OutboxEntry]>([
    ["an event", entry("1")],
    ["an entry for our own domains alone", { ...entry("1"), internal: true }],
  ])("returns what was appended: %s", async (_case, given) => {
    const test = await open();
    await inTransaction(test.store.view(), (tx) => appendToOutbox(tx, given));
    const taken = await inTransaction(test.store.view(), (tx) => takeFromOutbox(tx, 10));
    expect(taken).toEqual([{ ...given, sequence: 1 }]);
  });

  it("appends any number at once, in their order", async () => {
    const test = await open();
    const ids = Array.from({ length: 1_234 }, (_, index) => String(index));
    await inTransaction(test.store.view(), (tx) => appendToOutbox(tx, ...ids.map(entry)));
    expect(await take(test, 2_000)).toEqual(ids);
  });

  it("returns each entry once, oldest first, up to the limit", async () => {
    const test = await open();
    await append(test.store, ...range(5));
    expect([await take(test, 2), await take(test, 2), await take(test, 2), await take(test, 2)]).toEqual([
      ["000", "001"],
      ["002", "003"],
      ["004"],
      [],
    ]);
  });

  it("returns an entry again when the taker's transaction is undone", async () => {
    const test = await open();
    await append(test.store, "1");
    const failing = inTransaction(test.store.view(), async (tx) => {
      await takeFromOutbox(tx, 10);
      throw new Error("the relay failed");
    });
    await expect(failing).rejects.toThrow("the relay failed");
    expect(await take(test, 10)).toEqual(["1"]);
  });

  it("never gives two takers the same entry, over several connections", async () => {
    const test = await open();
    await append(test.store, ...range(100));
    const takers = await test.racers(4);
    const takeAll = async (taker: TestStore): Promise<string[]> => {
      const taken = await take(taker, 7);
      return taken.length === 0 ? [] : [...taken, ...(await takeAll(taker))];
    };
    const taken = (await Promise.all(takers.map(takeAll))).flat();
    expect(taken.toSorted()).toEqual(range(100));
  });
});

onPostgres((open) => {
  it("appends several by a statement whose text does not depend on their number", async () => {
    const { store } = await open();
    const append = (count: number) =>
      watchStatements(() => inTransaction(store.view(), (tx) => appendToOutbox(tx, ...range(count).map(entry))));
    const asked = [...(await append(2)), ...(await append(3)), ...(await append(400))];
    expect(new Set(asked.filter((text) => text.startsWith("insert"))).size).toBe(1);
  });

  it("leaves the transaction's limit of waiting for a lock when it has locked the outbox for its end (R-X411)", async () => {
    const { store } = await open();
    const limit = sql<{ lock_timeout: string }>`show lock_timeout`;
    const after = (purpose: Purpose) =>
      runFor(purpose, () =>
        inTransaction(store.view(), async (tx) => {
          await endOfOutbox(tx);
          return (await limit.execute(tx)).rows;
        }),
      );
    expect(await after("requested")).toEqual([{ lock_timeout: "250ms" }]);
    expect(await after("ordinary")).toEqual([{ lock_timeout: "0" }]);
  });

  it("loses no entry whose lower number is committed later (architecture: claim by state)", async () => {
    const test = await open();
    const late = await test.store.view().startTransaction().execute();
    await appendToOutbox(late, entry("late"));
    await append(test.store, "early");
    const before = await take(test, 10);
    await late.commit().execute();
    const after = await take(test, 10);
    expect([before, after]).toEqual([["early"], ["late"]]);
  });

  it("takes nothing behind an internal entry that another taker has not committed yet", async () => {
    const test = await open();
    await append(test.store, "before");
    await inTransaction(test.store.view(), (tx) =>
      appendToOutbox(tx, { ...entry("internal"), internal: true }, entry("with it")),
    );
    const other = await test.store.view().startTransaction().execute();
    await takeFromOutbox(other, 2);
    await append(test.store, "behind");
    const meanwhile = await take(test, 10);
    await other.commit().execute();
    expect([meanwhile, await take(test, 10)]).toEqual([[], ["with it", "behind"]]);
  });

  it("takes what is before the internal entry that another taker has, though it was committed later", async () => {
    const test = await open();
    const late = await test.store.view().startTransaction().execute();
    await appendToOutbox(late, entry("late"));
    await inTransaction(test.store.view(), (tx) => appendToOutbox(tx, { ...entry("internal"), internal: true }));
    const other = await test.store.view().startTransaction().execute();
    await takeFromOutbox(other, 1);
    await late.commit().execute();
    await append(test.store, "behind");
    const meanwhile = await take(test, 10);
    await other.rollback().execute();
    expect([meanwhile, await take(test, 10)]).toEqual([["late"], ["internal", "behind"]]);
  });
});
