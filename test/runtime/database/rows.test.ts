import fc from "fast-check";
import { sql } from "kysely";
import { isConstraintViolation } from "../../../src/runtime/database/database.ts";
import { byBytes, insertRows, isOneOf, rowsOf } from "../../../src/runtime/database/rows.ts";
import { eachStore } from "../../support/stores.ts";

eachStore((_, open) => {
  const read = async (elements: readonly object[]) => {
    const { store } = await open();
    const given = rowsOf(store.view(), elements);
    const { rows } =
      await sql`select given.value ->> 'id' as id, given.value ->> 'name' as name, cast(given.value ->> 'count' as integer) as count
      from ${given} order by 1`.execute(store.view());
    return rows;
  };

  it("returns each element as a row, text unchanged, columns called id, key and path too", async () => {
    const elements = [
      { id: "a", name: `quotes ' " and \\ and ✓`, count: 1 },
      { id: "b", name: null, count: 2 },
      { id: "c", key: "k", path: "p", count: null },
    ];
    expect(await read(elements)).toEqual([
      { id: "a", name: `quotes ' " and \\ and ✓`, count: 1 },
      { id: "b", name: null, count: 2 },
      { id: "c", name: null, count: null },
    ]);
  });

  it("returns any text, and JSON as the text that it was given", async () => {
    // PostgreSQL's text has no NUL, and neither database half of a surrogate pair.
    const texts = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));
    const rows = fc.array(fc.record({ name: texts, json: fc.array(texts).map((list) => JSON.stringify(list)) }), {
      minLength: 1,
    });
    const { store } = await open();
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        const given = rowsOf(
          store.view(),
          written.map((row, index) => ({ index, ...row })),
        );
        const found = await sql`
          select given.value ->> 'name' as name, given.value ->> 'json' as json from ${given}
          order by cast(given.value ->> 'index' as integer)`.execute(store.view());
        expect(found.rows).toEqual(written);
      }),
    );
  });

  it("returns no row for no element", async () => {
    expect(await read([])).toEqual([]);
  });

  it("keeps the text of its statement, whatever the number of rows", async () => {
    const { store } = await open();
    const texts = [1, 50].map((count) => {
      const elements = Array.from({ length: count }, (__, index) => ({ index }));
      return sql`select * from ${rowsOf(store.view(), elements)}`.compile(store.view()).sql;
    });
    expect(texts[1]).toBe(texts[0]);
  });

  describe("many rows", () => {
    interface Zoo {
      readonly animals: { readonly id: string; readonly legs: number | null; readonly parent: string | null };
    }
    const openZoo = async () => {
      const { store } = await open();
      const db = store.view<Zoo>();
      const columns = "id text primary key, legs integer, parent text references animals (id)";
      await sql.raw(`create table animals (${columns})`).execute(db);
      return { store, db };
    };
    const ANIMALS = [
      { id: "b", legs: null, parent: "a" },
      { id: "a", legs: 4, parent: null },
      { id: "B", legs: 2, parent: "b" },
    ];
    const HERD = [
      ...ANIMALS,
      ...Array.from({ length: 9 }, (_, index) => ({ id: `calf ${index}`, legs: 4, parent: `calf ${(index + 1) % 9}` })),
    ];

    it.each([
      ["few", ANIMALS],
      ["many", HERD],
    ])("are inserted by one statement, whichever way they refer to each other: %s", async (_, all) => {
      const { db } = await openZoo();
      await insertRows(db, "animals", all);
      await insertRows(db, "animals", []);
      const rows = await db.selectFrom("animals").selectAll().execute();
      expect(rows).toEqual(expect.arrayContaining([...all]));
      expect(rows.length).toBe(all.length);
    });

    it.each([
      ["one", 1],
      ["as many as are bound", 8],
      ["one more", 9],
    ])("are the same however many are inserted at once: %s", async (_, count) => {
      const { db } = await openZoo();
      const many = Array.from({ length: count }, (__, index) => ({
        id: `quotes ' " and \\ and ✓ ${index}`,
        legs: index === 0 ? null : 2_147_483_647,
        parent: null,
      }));
      // A row may have its columns in another order than the first.
      const asGiven = many.map((row, index) =>
        index === 0 ? row : { parent: row.parent, id: row.id, legs: row.legs },
      );
      await insertRows(db, "animals", asGiven);
      expect(await db.selectFrom("animals").selectAll().orderBy(byBytes(db, "id")).execute()).toEqual(many);
    });

    it.each([
      ["few", ANIMALS],
      ["many", HERD],
    ])("are refused as a whole when one of them breaks a constraint: %s", async (_, all) => {
      const { db } = await openZoo();
      const error = await insertRows(db, "animals", [...all, ...all]).catch((refused: unknown) => refused);
      expect(isConstraintViolation(error)).toBe(true);
      expect(isConstraintViolation(new Error("other"))).toBe(false);
      expect(await db.selectFrom("animals").selectAll().execute()).toEqual([]);
    });

    it("are found by their values, and ordered by bytes on every database", async () => {
      const { db } = await openZoo();
      await insertRows(db, "animals", ANIMALS);
      const found = db.selectFrom("animals").select("id").orderBy(byBytes(db, "id"));
      expect(await found.execute()).toEqual([{ id: "B" }, { id: "a" }, { id: "b" }]);
      expect(await found.where(isOneOf(db, "id", ["b", "B", "c"])).execute()).toEqual([{ id: "B" }, { id: "b" }]);
      expect(await found.where(isOneOf(db, "id", [])).execute()).toEqual([]);
    });

    it("stay unchanged in a snapshot, which blocks no writer", async () => {
      const { store, db } = await openZoo();
      await insertRows(db, "animals", [{ id: "a", legs: 4, parent: null }]);
      const snapshot = await store.snapshot<Zoo>();
      await insertRows(db, "animals", [{ id: "b", legs: 4, parent: "a" }]);
      await db.updateTable("animals").set({ legs: 3 }).execute();
      expect(await snapshot.db.selectFrom("animals").selectAll().execute()).toEqual([
        { id: "a", legs: 4, parent: null },
      ]);
      await snapshot.close();
      expect(await db.selectFrom("animals").select("id").where("legs", "=", 3).execute()).toHaveLength(2);
    });
  });
});
