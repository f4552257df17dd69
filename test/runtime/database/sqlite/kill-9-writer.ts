import { sql } from "kysely";
import { openSqlite } from "../../../../src/runtime/database/sqlite/sqlite.ts";

/**
 * Run as a process of its own by kill-9.test.ts: writes two rows of two tables in each of endless transactions, sixteen at a time, and
 * prints the number of each one that was acknowledged. Arguments: file, first number.
 */
const [path = "", first = "1"] = process.argv.slice(2);
const WRITERS = 16;

const db = openSqlite(path).view<unknown>();
await sql`create table if not exists payments (id integer primary key) strict`.execute(db);
await sql`create table if not exists receipts (payment integer primary key) strict`.execute(db);

let next = Number(first);

async function write(): Promise<void> {
  while (true) {
    const id = next++;
    await db.transaction().execute(async (tx) => {
      await sql`insert into payments (id) values (${id})`.execute(tx);
      await new Promise((resolve) => setImmediate(resolve));
      await sql`insert into receipts (payment) values (${id})`.execute(tx);
    });
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all(Array.from({ length: WRITERS }, write));
