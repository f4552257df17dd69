import fc from "fast-check";
import { sql } from "kysely";
import { type ReadsOfNow, untilCommit } from "../../../../src/runtime/database/until-commit.ts";
import { onPostgres, onSqlite } from "../../../support/stores.ts";
import { PaymentsStore, turn } from "./payments-store.ts";

describe("a memory of reads until the next commit (decision 0088)", () => {
  describe("of a store whose flushes end when the test says so", () => {
    const store = new PaymentsStore();
    const { paid, pay } = store;
    let underWay: ((error?: Error) => void)[];
    let memory: () => ReadsOfNow<readonly number[]> | undefined;
    beforeEach(() => {
      underWay = [];
      const log = { flush: (ended: (error?: Error) => void) => void underWay.push(ended), close: () => undefined };
      store.drive({ reader: store.openHandle({ readonly: true }), log });
      memory = untilCommit(store.db);
    });
    const flush = () => underWay.shift()?.();
    afterEach(async () => {
      while (underWay.length > 0) {
        flush();
        await turn();
      }
    });

    it("has what was kept until a commit can be seen: not before it is flushed", async () => {
      memory()?.keep("payments", await paid());
      expect(memory()?.get("payments")).toEqual([]);
      expect(memory()?.get("receipts")).toBeUndefined();
      const paying = pay(1);
      await turn();
      await turn();
      expect(underWay).toHaveLength(1);
      expect([memory()?.get("payments"), await paid()]).toEqual([[], []]);
      flush();
      await paying;
      expect(memory()?.get("payments")).toBeUndefined();
    });

    it("loses what was read before a commit and is kept after it", async () => {
      const before = memory();
      const read = await paid();
      const paying = pay(1);
      await turn();
      await turn();
      flush();
      await paying;
      before?.keep("payments", read);
      expect(memory()?.get("payments")).toBeUndefined();
      expect(await paid()).toEqual([1]);
    });

    it("has a thousand values at most", () => {
      const names = Array.from({ length: 1_010 }, (_, index) => `name ${index}`);
      for (const name of names) memory()?.keep(name, []);
      expect(names.filter((name) => memory()?.get(name) !== undefined)).toHaveLength(1_000);
    });

    it("has what a read gives at the same moment, whatever is written and flushed meanwhile", async () => {
      let id = 0;
      const step = fc.constantFrom("read", "read", "read", "pay", "fail", "flush", "turn", "turn", "tick");
      const steps = fc.array(step, { minLength: 30, maxLength: 60, size: "max" });
      let recalled = 0;
      await fc.assert(
        fc.asyncProperty(steps, async (chosen) => {
          const writes: Promise<unknown>[] = [];
          const seen: { readonly kept: readonly number[]; readonly read: readonly number[] }[] = [];
          const read = async () => {
            const reads = memory();
            const kept = reads?.get("payments");
            const found = await paid();
            if (kept !== undefined) recalled++;
            seen.push({ kept: kept ?? found, read: found });
            reads?.keep("payments", found);
          };
          const take = {
            read,
            pay: () => void writes.push(pay(++id)),
            fail: () => void writes.push(pay(1, () => Promise.reject(new Error("undone"))).catch(() => undefined)),
            flush,
            turn,
            tick: () => Promise.resolve(),
          };
          for (const one of chosen) await take[one]();
          expect(seen.map(({ kept }) => kept)).toEqual(seen.map(({ read }) => read));
          const end = Promise.all(writes);
          for (let turns = 0; turns < 200 && writes.length > 0; turns++) {
            flush();
            await turn();
          }
          await end;
        }),
        { numRuns: 100 },
      );
      expect(recalled).toBeGreaterThan(100);
    });
  });

  onSqlite((open) => {
    it("is there on the embedded store, which no other program writes to", async () => {
      const { store } = await open();
      expect(untilCommit(store.view())()).toBeDefined();
    });

    it("is not there of a view that is no store of now", async () => {
      const { store } = await open();
      const snapshot = await store.snapshot();
      expect(untilCommit(snapshot.db)()).toBeUndefined();
      await snapshot.close();
    });

    it("ends with a statement that writes without a transaction of its own", async () => {
      const { store } = await open();
      const db = store.view<{ birds: { readonly name: string } }>();
      await sql`create table birds (name text primary key) strict`.execute(db);
      const memory = untilCommit<string>(db);
      memory()?.keep("first", "none");
      await db.insertInto("birds").values({ name: "heron" }).execute();
      expect(memory()?.get("first")).toBeUndefined();
    });
  });

  onPostgres((open) => {
    it("is not there on PostgreSQL, where other programs write as well", async () => {
      const { store } = await open();
      expect(untilCommit(store.view())()).toBeUndefined();
    });
  });
});
