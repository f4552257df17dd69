import { sql } from "kysely";
import { batchOf } from "../../../src/runtime/database/batch.ts";
import { eachStore } from "../../support/stores.ts";

eachStore((_, open) => {
  const read = async (elements: readonly object[]) => {
    const { store } = await open();
    const batch = batchOf(store.view(), elements);
    const { rows } =
      await sql`select batch.value ->> 'id' as id, batch.value ->> 'name' as name, cast(batch.value ->> 'count' as integer) as count
      from ${batch} order by 1`.execute(store.view());
    return rows;
  };

  it("gives each element as a row, text as it was, columns called id, key and path too", async () => {
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

  it("gives no row for no element", async () => {
    expect(await read([])).toEqual([]);
  });

  it("keeps the text of its statement, however many rows it is about", async () => {
    const { store } = await open();
    const texts = [1, 50].map((count) => {
      const elements = Array.from({ length: count }, (__, index) => ({ index }));
      return sql`select * from ${batchOf(store.view(), elements)}`.compile(store.view()).sql;
    });
    expect(texts[1]).toBe(texts[0]);
  });
});
