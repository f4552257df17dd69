import { sql } from "kysely";
import type { Store } from "../../src/runtime/database/database.ts";

/** The content of every table, texts and bytes as they are. */
export async function dump(store: Store): Promise<Buffer> {
  const db = store.view();
  const names =
    store.dialect === "sqlite"
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
  const cells: Buffer[] = [];
  for (const { name } of (await names.execute(db)).rows) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    for (const value of rows.flatMap((row) => Object.values(row)))
      cells.push(Buffer.isBuffer(value) ? value : Buffer.from(textOf(value)), Buffer.from("\n"));
  }
  return Buffer.concat(cells);
}

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null && !(value instanceof Date) ? JSON.stringify(value) : String(value);
