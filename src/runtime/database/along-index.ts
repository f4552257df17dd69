import { type RawBuilder, sql } from "kysely";
import { type AnyDatabase, isSqlite } from "./database.ts";

/**
 * True of rows whose sequence is on that side of a number, along an index of these columns and the sequence. On
 * PostgreSQL it is a comparison of rows, since a planner may otherwise walk another index and filter: it runs over into
 * other values of the columns, which the caller cuts off. SQLite does not take a primary key into a comparison of rows,
 * and would read the range from its end.
 */
export function alongIndex(
  db: AnyDatabase,
  columns: Readonly<Record<string, string>>,
  side: "<" | ">",
  sequence: number,
): RawBuilder<unknown> {
  const names = Object.keys(columns).map((name) => sql.ref(name));
  const values = Object.values(columns);
  return isSqlite(db)
    ? sql`${valuesAre(columns)} and sequence ${sql.raw(side)} ${sequence}`
    : sql`(${sql.join([...names, sql`sequence`])}) ${sql.raw(side)} (${sql.join([...values, sequence])})`;
}

/** True of rows with these values. */
export const valuesAre = (columns: Readonly<Record<string, string>>): RawBuilder<unknown> =>
  sql.join(
    Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    sql` and `,
  );
