import { existsSync } from "node:fs";
import { sql } from "kysely";
import { eachStore, type TestStore } from "./stores.ts";

const countries = {
  owner: "countries",
  migrations: [{ number: 1, name: "countries", statements: () => ["create table countries (name text not null)"] }],
};

eachStore((name, open) => {
  let before: TestStore | undefined;

  it("opens an empty store with the tables asked for", async () => {
    const opened = await open([countries]);
    before = opened;
    await sql`insert into countries (name) values ('Norway')`.execute(opened.store.view());
    const other = await opened.again();
    const { rows } = await sql<{ name: string }>`select name from countries`.execute(other.store.view());
    expect(opened.store.dialect).toBe(name);
    expect(rows).toEqual([{ name: "Norway" }]);
  });

  it("closed and removed it after that test, and the next one is another", async () => {
    const opened = await open([countries]);
    const { rows } = await sql`select name from countries`.execute(opened.store.view());
    expect(rows).toEqual([]);
    expect(opened.location).not.toBe(before?.location);
    expect(existsSync(before?.location ?? "")).toBe(false);
    await expect(sql`select 1`.execute(before?.store.view() as never)).rejects.toThrow();
  });
});
