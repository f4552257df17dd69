import { sql } from "kysely";
import { migrations, tableUpkeep } from "../../../src/roles/owners.ts";
import { eachStore } from "../../support/stores.ts";

const KEPT = { "audit-kept-days": 400, "webhook-body-days": 30, "webhook-delivery-days": 90 };

eachStore((name, open) => {
  it("every table of the schema is bounded by a reason or swept by age (R-X249)", async () => {
    const { store } = await open(migrations.filter(({ owner }) => owner !== "runtime"));
    const tables =
      name === "sqlite"
        ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
        : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
    const { rows } = await tables.execute(store.view());
    const declared = tableUpkeep(KEPT);
    expect(declared.map(({ table }) => table).toSorted()).toEqual(rows.map((row) => row.name).toSorted());
    expect(declared.filter((one) => !("age" in one) && !/\w/.test(one.bounded))).toEqual([]);
  });

  it("each age is an instant of its table", async () => {
    const { store } = await open(migrations.filter(({ owner }) => owner !== "runtime"));
    const swept = tableUpkeep(KEPT).flatMap((one) => ("age" in one ? [one] : []));
    for (const { table, age } of swept)
      await sql`select count(*) from ${sql.table(table)} where ${sql.ref(age)} < 0`.execute(store.view());
    expect(swept.length).toBeGreaterThan(10);
  });
});
