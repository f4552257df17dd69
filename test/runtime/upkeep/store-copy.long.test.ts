import { rm } from "node:fs/promises";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import type { AuditTables } from "../../../src/runtime/audit/audit.ts";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { DEFAULT_DEADLINES } from "../../../src/runtime/database/deadlines.ts";
import { type MigrationSet, migrate } from "../../../src/runtime/database/migrations.ts";
import { openPostgres } from "../../../src/runtime/database/postgres/postgres.ts";
import { insertRows } from "../../../src/runtime/database/rows.ts";
import { openSqlite } from "../../../src/runtime/database/sqlite/sqlite.ts";
import { copyStore } from "../../../src/runtime/upkeep/store-copy.ts";
import { eventually } from "../../support/eventually.ts";
import { newStoreFolder } from "../../support/memory.ts";
import { postgresProxy } from "../../support/postgres-proxy.ts";
import { onPostgres, type TestStore } from "../../support/stores.ts";

const ENTRIES = 2_000;

/** A step of a later version that changes rows, and would change them again. */
const LATER: MigrationSet = {
  owner: "later",
  migrations: [{ number: 1, name: "later", statements: () => ["update audit_entries set at = at + 1"] }],
};

onPostgres((open, closeLater) => {
  /** An embedded store with entries in its audit log, which nothing has open. */
  async function source(): Promise<string> {
    const folder = await newStoreFolder("gh-copied-");
    closeLater(() => rm(folder, { recursive: true }));
    const path = join(folder, "gatehouse.sqlite");
    const store = openSqlite(path);
    await migrate(store, [runtimeMigrations], new Date(0));
    const rows = Array.from({ length: ENTRIES }, (_, at) => ({
      ...{ at, actor: "operator", action: "tenant.create", object: `client_${at}`, request_id: "", facts: "{}" },
    }));
    await insertRows(store.view<AuditTables>(), "audit_entries", rows);
    await store.close();
    return path;
  }

  it("a copy is not ended by limits that the database has for requests (R-X253)", async () => {
    const { location, store } = await open();
    const name = new URL(location).pathname.slice(1);
    // Passes between two of its questions, while it looks at the rows of the first.
    await sql`alter database ${sql.ref(name)} set idle_in_transaction_session_timeout = '1ms'`.execute(store.view());
    const { tables } = await copyStore({
      from: await source(),
      to: location,
      storeId: "store_1",
      deadlines: DEFAULT_DEADLINES,
    });
    expect(tables.find(({ table }) => table === "audit_entries")?.rows).toBe(ENTRIES);
  });

  it.each([
    ["another value", "if new.at = 7 then new.object := 'client_0'; end if", ENTRIES],
    ["a row less", "if new.at = 7 then return null; end if", ENTRIES - 1],
  ])("a copy that comes out with %s than its source is no copy (R-X253)", async (_, altering, rows) => {
    const { location, store } = await open();
    const db = store.view();
    await sql
      .raw(`create function alter_row() returns trigger language plpgsql as $$ begin ${altering}; return new; end $$`)
      .execute(db);
    await sql
      .raw("create trigger alter_row before insert on audit_entries for each row execute function alter_row()")
      .execute(db);
    const order = { from: await source(), to: location, storeId: "store_1", deadlines: DEFAULT_DEADLINES };
    await expect(copyStore(order)).rejects.toThrow(
      `The copy of audit_entries differs from its source: ${rows} rows, and ${ENTRIES} in the source. Drop the database, and copy again.`,
    );
  });

  it("a copy goes into a schema whose name needs quotes (R-X253)", async () => {
    const { location, store } = await open();
    await sql`create schema "Gate-House"`.execute(store.view());
    const url = new URL(location);
    url.searchParams.set("options", '-c search_path="Gate-House"');
    const target = await openPostgres(url.href);
    await migrate(target, [runtimeMigrations], new Date(0));
    await target.close();
    const { tables } = await copyStore({
      from: await source(),
      to: url.href,
      storeId: "store_1",
      deadlines: DEFAULT_DEADLINES,
    });
    expect(tables.find(({ table }) => table === "audit_entries")?.rows).toBe(ENTRIES);
  });

  it("a copy of long rows goes in pieces that PostgreSQL takes, of which one value has 256 MB at most (R-X253)", async () => {
    const { location, store } = await open();
    const from = await source();
    const file = new BetterSqlite3(from);
    file.exec(`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 12)
      insert into change_requests (caller, method, request_id, content_digest, answer, created_at)
      select 'platform', 'CreateUnitType', n, x'00', zeroblob(2000000), 0 from numbers`);
    file.close();
    const { tables } = await copyStore({ from, to: location, storeId: "store_1", deadlines: DEFAULT_DEADLINES });
    expect(tables.find(({ table }) => table === "change_requests")?.rows).toBe(12);
    // Each piece is a transaction.
    const { rows } = await sql<{ readonly rows: number }>`
      select count(*) as rows from change_requests group by xmin::text order by 1`.execute(store.view());
    expect(rows.map((piece) => piece.rows)).toEqual([2, 5, 5]);
  });

  /** Begins a copy into a database that then falls silent; answers what it said at its end. */
  async function interrupted({ location, store }: TestStore, from: string): Promise<string | object> {
    const { proxy, proxied } = await postgresProxy(location, closeLater);
    // A busy server answers within that time.
    const deadlines = { ...DEFAULT_DEADLINES, transactionMs: 3_000 };
    proxy.delay(10);
    const copy = copyStore({ from, to: proxied, storeId: "store_1", deadlines }).catch((error: Error) => error.message);
    const begun = async () => {
      const { rows } = await sql<{ readonly there: boolean }>`
        select to_regclass('store_copy') is not null as there`.execute(store.view());
      return rows[0]?.there === true;
    };
    expect(await eventually(begun, Boolean)).toBe(true);
    proxy.silence();
    const said = await copy;
    proxy.cut();
    return said;
  }

  it("a copy into a database that falls silent ends, and the same one goes on (R-X253, decision 0040)", async () => {
    const target = await open();
    const from = await source();
    expect(await interrupted(target, from)).toMatch(/did not answer within 3000 ms/);
    const { location } = target;
    const deadlines = DEFAULT_DEADLINES;
    const { tables } = await copyStore({ from, to: location, storeId: "store_1", deadlines });
    expect(tables.find(({ table }) => table === "audit_entries")?.rows).toBe(ENTRIES);
  });

  it("a copy that an earlier version began does not go on with a store that was migrated since (R-X253)", async () => {
    const target = await open();
    const from = await source();
    await interrupted(target, from);
    const store = openSqlite(from);
    // The rows are as the later version has them, and the target would be given the same step at the start.
    await migrate(store, [runtimeMigrations, LATER], new Date(0));
    await store.close();
    const order = { from, to: target.location, storeId: "store_1", deadlines: DEFAULT_DEADLINES };
    await expect(copyStore(order)).rejects.toThrow(
      "The target has an unfinished copy that another version of the program began. Name a database that is empty. Nothing was changed.",
    );
  });
});
