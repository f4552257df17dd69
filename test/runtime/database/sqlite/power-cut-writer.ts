import { openSync, writeSync } from "node:fs";
import { sql } from "kysely";
import { openSqlite } from "../../../../src/runtime/database/sqlite/sqlite.ts";

/**
 * Run as a process of its own by power-cut.long.test.ts: writes and reads until it is killed, and appends to the record of its disk what it
 * acknowledged (`told <payment>`) and what its reads returned (`seen <highest payment>`). Payments are numbered by the store. At SIGUSR2 it
 * takes what was overwritten out of its files, as an erasure does, and appends `cleared`. Arguments: file, record.
 */
const [path = "", record = ""] = process.argv.slice(2);
const WRITERS = 8;

const store = openSqlite(path);
const db = store.view<unknown>();
const file = openSync(record, "a");
const append = (words: string) => void writeSync(file, `${words}\n`);
let highest = 0;
const see = (last: number | null | undefined) => {
  if ((last ?? 0) <= highest) return;
  highest = last ?? 0;
  append(`seen ${highest}`);
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

await sql`create table payments (id integer primary key, note text not null) strict`.execute(db);
await sql`create table receipts (payment integer primary key, note text not null) strict`.execute(db);
append("told 0");

async function write(): Promise<void> {
  while (true) {
    const id = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ readonly id: number }>`
        insert into payments (note) values (${"x".repeat(3_000)}) returning id`.execute(tx);
      await turn();
      const payment = rows[0]?.id ?? 0;
      await sql`insert into receipts values (${payment}, ${"y".repeat(1_000)})`.execute(tx);
      return payment;
    });
    append(`told ${id}`);
  }
}

/** One after the other, and several in a turn, which share a read transaction. */
async function read(): Promise<void> {
  while (true) {
    for (let reads = 0; reads < 3; reads++) {
      const { rows } = await sql<{ readonly last: number | null }>`select max(payment) as last from receipts`.execute(
        db,
      );
      see(rows[0]?.last);
    }
    await turn();
  }
}

/** As an export does, with a handle of its own. */
async function look(): Promise<void> {
  while (true) {
    const snapshot = await store.snapshot();
    const { rows } = await sql<{ readonly last: number | null }>`select max(payment) as last from receipts`.execute(
      snapshot.db,
    );
    see(rows[0]?.last);
    await snapshot.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

process.on("SIGUSR2", () => void store.forgetOverwritten().then(() => append("cleared")));

await Promise.all([...Array.from({ length: WRITERS }, write), read(), look()]);
