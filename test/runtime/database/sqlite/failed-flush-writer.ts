import { writeFileSync } from "node:fs";
import { sql } from "kysely";
import { openSqlite } from "../../../../src/runtime/database/sqlite/sqlite.ts";
import { markStoreClosed, storePath } from "../../../../src/runtime/database/sqlite/store-file.ts";

/**
 * Run as a process of its own by failed-flush.test.ts: fills a log, has the next flush fail once, and prints what became of it.
 * Arguments: folder, the file that makes a flush fail, what meets it.
 */
const [folder = "", trigger = "", what] = process.argv.slice(2);

const flushFailures: unknown[] = [];
const store = openSqlite(storePath(folder), { onFlushFailed: (error) => void flushFailures.push(error) });
const db = store.view<unknown>();
await sql`create table payments (id integer primary key, note text not null) strict`.execute(db);
// More than SQLite lets the log have by itself, and less than makes us copy it.
for (let count = 0; count < 200; count++)
  await sql`insert into payments (note) values (${"x".repeat(40_000)})`.execute(db);
writeFileSync(trigger, "");
if (what === "closing") process.stdout.write(JSON.stringify({ isClosed: markStoreClosed(folder) }));
else {
  const outcome = await store.forgetOverwritten().catch((error: { readonly detail?: string }) => error.detail);
  process.stdout.write(JSON.stringify({ outcome, flushFailures: flushFailures.length }));
}
await store.close();
