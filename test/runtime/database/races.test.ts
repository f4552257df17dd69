import { sql } from "kysely";
import { isRetryable, isUniqueViolation, skipLocked } from "../../../src/runtime/database/database.ts";
import { eachStore, inTransaction, type TestStore } from "../../support/stores.ts";

/** Of tickets that are written when their transaction may be over. */
const IDS = [5, 6, 7, 8];

interface Tables {
  tickets: { readonly id: number; readonly taken_by: string | null };
}

const tickets = {
  owner: "tickets",
  migrations: [
    {
      number: 1,
      name: "tickets",
      statements: ({ integer, strict }: { integer: string; strict: string }) => [
        `create table tickets (id ${integer} primary key, taken_by text) ${strict}`,
        "insert into tickets (id) values (1), (2), (3), (4)",
      ],
    },
  ],
};

eachStore((_, open) => {
  const spend = ({ store }: TestStore, by: string) =>
    store
      .view<Tables>()
      .updateTable("tickets")
      .set({ taken_by: by })
      .where("id", "=", 1)
      .where("taken_by", "is", null)
      .executeTakeFirstOrThrow();

  it("lets one of 50 parallel conditional updates win, over several connections (S20)", async () => {
    const stores = await (await open([tickets])).racers(5);
    const results = await Promise.all(
      stores.flatMap((one) => Array.from({ length: 10 }, (_, at) => spend(one, String(at)))),
    );
    const won = results.filter(({ numUpdatedRows }) => numUpdatedRows === 1n);
    expect(won.length).toBe(1);
  });

  it("lets one of 50 transactions that read before they write win, over several connections", async () => {
    const stores = await (await open([tickets])).racers(5);
    const takeWhenFree = ({ store }: TestStore) =>
      inTransaction(store.view<Tables>(), async (tx) => {
        const free = tx.selectFrom("tickets").select("id").where("id", "=", 1).where("taken_by", "is", null);
        const found = await (store.dialect === "postgres" ? free.forUpdate() : free).executeTakeFirst();
        if (found === undefined) return 0;
        await tx.updateTable("tickets").set({ taken_by: "me" }).where("id", "=", 1).execute();
        return 1;
      });
    const results = await Promise.all(stores.flatMap((one) => Array.from({ length: 10 }, () => takeWhenFree(one))));
    expect(results.reduce<number>((sum, won) => sum + won, 0)).toBe(1);
  });

  it("lets two claimants take different rows without waiting for each other", async () => {
    const stores = await (await open([tickets])).racers(2);
    const claim = ({ store }: TestStore, by: string) =>
      inTransaction(store.view<Tables>(), async (tx) => {
        const free = tx.selectFrom("tickets").select("id").where("taken_by", "is", null).orderBy("id").limit(2);
        const ids = (await skipLocked(tx, free).execute()).map(({ id }) => id);
        // So that both are under way on PostgreSQL. SQLite runs one after the other, so neither may wait for the other.
        await new Promise((resolve) => setTimeout(resolve, 20));
        await tx.updateTable("tickets").set({ taken_by: by }).where("id", "in", ids).execute();
        return ids;
      });
    const claimed = await Promise.all(stores.map((one, index) => claim(one, String(index))));
    expect(claimed.flat().toSorted()).toEqual([1, 2, 3, 4]);
  });

  it("distinguishes a broken unique key from other failures", async () => {
    const { store } = await open([tickets]);
    const failure = (statement: string) =>
      sql
        .raw(statement)
        .execute(store.view())
        .then(
          () => undefined,
          (error: unknown) => error,
        );
    const broken = await failure("insert into tickets (id) values (1)");
    const wrong = await failure("insert into tickets (nothing) values (1)");
    expect([isUniqueViolation(broken), isUniqueViolation(wrong)]).toEqual([true, false]);
    expect([isRetryable(broken), isRetryable(wrong), isRetryable(undefined)]).toEqual([false, false, false]);
  });

  it("recognizes a transaction that should be retried", async () => {
    const [first, second] = await (await open([tickets])).racers(2);
    const isPostgres = first?.store.dialect === "postgres";
    let locked = 0;
    const both = Promise.withResolvers<void>();
    const lock = (tx: { getExecutor(): unknown }, id: number) =>
      sql`update tickets set taken_by = 'x' where id = ${id}`.execute(tx as never);
    const cross = ({ store }: TestStore, one: number, other: number) =>
      inTransaction(store.view(), async (tx) => {
        await lock(tx, one);
        if (++locked === 2) both.resolve();
        // SQLite runs one after the other.
        if (isPostgres) await both.promise;
        await lock(tx, other);
      });
    const results = await Promise.allSettled([cross(first as TestStore, 1, 2), cross(second as TestStore, 2, 1)]);
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(failures.filter((error) => !isRetryable(error))).toEqual([]);
    expect(failures.length).toBe(isPostgres ? 1 : 0);
  });

  it.each(["no", undefined])(
    "writes nothing for a statement that waits for another when its transaction ends (%s)",
    async (failure) => {
      const { store } = await open([tickets]);
      const db = store.view<Tables>();
      const late: Promise<unknown>[] = [];
      const ended = db.transaction().execute(async (tx) => {
        // Each waits for the one before, so all but the first are asked when the transaction is over.
        late.push(sql`select count(*) from tickets`.execute(tx));
        for (const id of IDS) late.push(tx.insertInto("tickets").values({ id }).execute());
        for (const each of late) each.catch(() => undefined);
        if (failure !== undefined) throw new Error(failure);
      });
      const how = await ended.then(
        () => undefined,
        (error: Error) => error.message,
      );
      expect(how).toBe(failure);
      const results = await Promise.allSettled(late);
      expect(results.at(-1)).toMatchObject({ status: "rejected" });
      const done = IDS.filter((_, at) => results[at + 1]?.status === "fulfilled");
      const { rows } = await sql<{ id: number }>`select id from tickets where id >= 5 order by id`.execute(db);
      expect(rows.map(({ id }) => id)).toEqual(failure === undefined ? done : []);
    },
  );
});
