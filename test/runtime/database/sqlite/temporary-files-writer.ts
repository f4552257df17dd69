import { readdirSync, readlinkSync } from "node:fs";
import { sql } from "kysely";
import { runAlone } from "../../../../src/runtime/basis/inside-change.ts";
import { openSqlite } from "../../../../src/runtime/database/sqlite/sqlite.ts";

/**
 * Run as a process of its own by temporary-files.test.ts: makes a long change, and prints where the files without a name are that are open
 * meanwhile, each on a line. Argument: the store's file.
 */
const [path = ""] = process.argv.slice(2);

const targetOf = (fd: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // The folder's own handle, closed by now.
    return "";
  }
};

const store = openSqlite(path);
const db = store.view<unknown>();
await sql`create table payments (id integer primary key, note text not null) strict`.execute(db);
await sql`with recursive n (id) as (select 1 union all select id + 1 from n where id < 200)
  insert into payments (id, note) select id, hex(zeroblob(2000)) from n`.execute(db);
await runAlone(() =>
  db.transaction().execute(async (tx) => {
    await sql`update payments set note = hex(zeroblob(1999))`.execute(tx);
    const unnamed = readdirSync("/proc/self/fd").map(targetOf);
    process.stdout.write(unnamed.filter((target) => target.endsWith(" (deleted)")).join("\n"));
  }),
);
await store.close();
