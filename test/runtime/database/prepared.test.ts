import { sql } from "kysely";
import { runInsideChange } from "../../../src/runtime/basis/inside-change.ts";
import { prepared, preparedWrite, type ValueOf } from "../../../src/runtime/database/prepared.ts";
import { eachStore } from "../../support/stores.ts";

interface Tables {
  birds: { readonly name: string; readonly legs: number };
}

describe("prepared queries", () => {
  eachStore((_, open) => {
    const openBirds = async () => {
      const { store } = await open();
      const db = store.view<Tables>();
      await sql`create table birds (name text primary key, legs integer not null)`.execute(db);
      await db
        .insertInto("birds")
        .values([
          { name: "heron", legs: 2 },
          { name: "stork", legs: 2 },
          { name: "table", legs: 4 },
        ])
        .execute();
      return db;
    };

    it("fills in the values of each call, and keeps the constant ones", async () => {
      const db = await openBirds();
      const below = prepared(db, (value: ValueOf<{ name: string; legs: number }>) =>
        db
          .selectFrom("birds")
          .select("name")
          .where("legs", "<", 4)
          .where("name", "!=", value("name"))
          .where("legs", "=", value("legs"))
          .orderBy("name"),
      );
      expect(await below.all({ name: "heron", legs: 2 })).toEqual([{ name: "stork" }]);
      expect(await below.all({ name: "nobody", legs: 2 })).toEqual([{ name: "heron" }, { name: "stork" }]);
      expect(await below.first({ name: "nobody", legs: 2 })).toEqual({ name: "heron" });
      expect(await below.first({ name: "nobody", legs: 4 })).toBeUndefined();
    });

    it("reads and writes within the transaction that it gets", async () => {
      const db = await openBirds();
      const named = prepared(db, (value: ValueOf<{ name: string }>) =>
        db.selectFrom("birds").select("legs").where("name", "=", value("name")),
      );
      const lose = preparedWrite((value: ValueOf<{ legs: number; below: number }>) =>
        db
          .updateTable("birds")
          .set({ legs: value("legs") })
          .where("legs", "<", value("below")),
      );
      const insert = preparedWrite((value: ValueOf<Tables["birds"]>) =>
        db.insertInto("birds").values({ name: value("name"), legs: value("legs") }),
      );
      const within = db.transaction().execute(async (tx) => {
        const changed = [await lose(tx, { legs: 1, below: 4 }), await insert(tx, { name: "crane", legs: 2 })];
        const seen = [await named.first({ name: "heron" }, tx), await named.first({ name: "crane" }, tx)];
        throw Object.assign(new Error("rolled back"), { changed, seen });
      });
      await expect(within).rejects.toMatchObject({ changed: [2, 1], seen: [{ legs: 1 }, { legs: 2 }] });
      expect([await named.first({ name: "heron" }), await named.first({ name: "crane" })]).toEqual([
        { legs: 2 },
        undefined,
      ]);
    });

    it("writes outside a transaction too, says how many rows it changed, and keeps nothing of what fails", async () => {
      const db = await openBirds();
      const legs = prepared(db, () => db.selectFrom("birds").select("legs").orderBy("name"));
      const lose = preparedWrite((value: ValueOf<{ legs: number }>) =>
        db
          .updateTable("birds")
          .set({ legs: value("legs") })
          .where("legs", "=", 2),
      );
      const rename = preparedWrite((value: ValueOf<{ name: string }>) =>
        db.updateTable("birds").set({ name: value("name") }),
      );
      expect([await lose(db, { legs: 1 }), await lose(db, { legs: 0 })]).toEqual([2, 0]);
      await expect(rename(db, { name: "heron" })).rejects.toThrow();
      expect(await legs.all({})).toEqual([{ legs: 1 }, { legs: 1 }, { legs: 4 }]);
      await expect(runInsideChange(() => lose(db, { legs: 3 }))).rejects.toThrow("beside the change that is open");
    });

    it("is built once", async () => {
      const db = await openBirds();
      let built = 0;
      const all = prepared(db, (value: ValueOf<{ legs: number }>) => {
        built++;
        return db.selectFrom("birds").select("name").where("legs", "=", value("legs"));
      });
      await Promise.all([all.all({ legs: 2 }), all.all({ legs: 4 }), all.all({ legs: 6 })]);
      expect(built).toBe(1);
    });
  });
});
