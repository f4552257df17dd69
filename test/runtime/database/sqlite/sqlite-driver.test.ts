import type BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { PaymentsStore, range, turn } from "./payments-store.ts";

describe("the SQLite driver", () => {
  const store = new PaymentsStore();
  const { openHandle, paid, pay, receipted } = store;

  it("reads without waiting for an open transaction, and sees none of its writes (the stock dialect waits for ever)", async () => {
    const seen: number[][] = [];
    await pay(1, async () => seen.push(await paid()));
    expect(seen).toEqual([[]]);
    expect(await paid()).toEqual([1]);
  });

  describe("reads of one turn", () => {
    let other: BetterSqlite3.Database;
    beforeEach(() => {
      other = openHandle();
    });
    afterEach(() => other.close());

    /** From the second one on they share a read transaction. */
    const readThrice = async () => {
      for (let read = 0; read < 3; read++) await paid();
    };
    const writtenElsewhere = () => other.exec("insert into payments values (9, 'elsewhere')");

    it("share one read transaction, which a commit of ours ends", async () => {
      await turn();
      await readThrice();
      writtenElsewhere();
      expect(await paid()).toEqual([]);
      await pay(1);
      expect(await paid()).toEqual([1, 9]);
    });

    it("see what was committed elsewhere from the next turn on", async () => {
      await readThrice();
      writtenElsewhere();
      await turn();
      expect(await paid()).toEqual([9]);
    });

    it("see their own commit at once, within the same turn", async () => {
      const seen: number[][] = [];
      const done = range(64).map((id) =>
        pay(id).then(async () => {
          seen.push(await paid());
        }),
      );
      await readThrice();
      await Promise.all(done);
      expect(seen).toEqual(range(64).map(() => range(64)));
    });

    it("leave nothing in the way of a checkpoint", async () => {
      await pay(1);
      await readThrice();
      await pay(2);
      expect(other.pragma("wal_checkpoint(truncate)")).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
    });

    it("go on behind one that fails", async () => {
      await readThrice();
      await expect(sql`select json('{')`.execute(store.db)).rejects.toThrow("malformed JSON");
      writtenElsewhere();
      await turn();
      expect(await paid()).toEqual([9]);
    });

    it("end when the store is closed", async () => {
      await readThrice();
      await store.db.destroy();
      expect(other.pragma("wal_checkpoint(truncate)")).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
    });
  });

  it("undoes only the statement that breaks a constraint, outside transactions", async () => {
    await pay(1);
    const results = await Promise.allSettled([
      store.db.insertInto("payments").values({ id: 2, note: "" }).execute(),
      store.db.insertInto("payments").values({ id: 1, note: "" }).execute(),
      store.db.insertInto("payments").values({ id: 3, note: "" }).execute(),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await paid()).toEqual([1, 2, 3]);
  });

  it("rolls back to a savepoint within a member", async () => {
    const trx = await store.db.startTransaction().execute();
    await trx.insertInto("payments").values({ id: 1, note: "kept" }).execute();
    const inner = await trx.savepoint("inner").execute();
    await inner.insertInto("payments").values({ id: 2, note: "undone" }).execute();
    await inner.rollbackToSavepoint("inner").execute();
    await trx.commit().execute();
    expect(await paid()).toEqual([1]);
  });

  it("prepares a statement once", async () => {
    const prepare = jest.spyOn(store.writer, "prepare");
    for (const id of range(3)) await pay(id);
    const prepared = prepare.mock.calls.map(([source]) => source);
    expect(prepared).toEqual([...new Set(prepared)]);
    expect(prepared.length).toBe(6);
  });

  it("drops prepared statements before they fill the memory", async () => {
    const prepare = jest.spyOn(store.writer, "prepare");
    const insert = (index: number) => sql`insert into receipts (payment) values (${sql.lit(index)})`.execute(store.db);
    for (const index of range(1_100)) await insert(index);
    prepare.mockClear();
    await insert(1);
    expect(prepare.mock.calls).toEqual([["insert into receipts (payment) values (1)"]]);
    expect((await receipted()).length).toBe(1_101);
  });
});
