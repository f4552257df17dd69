import { type RawBuilder, sql } from "kysely";
import { type AnyDatabase, isSqlite } from "./database.ts";

/**
 * The elements of an array as rows of `batch`, bound as one JSON parameter: a statement keeps its text, and so its plan, however many
 * rows it is about. A field is read as `batch.value ->> 'name'`, which is text: cast it.
 */
export function batchOf(db: AnyDatabase, elements: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(elements);
  // Of SQLite's function the value alone: it has columns named id, key and path too.
  return isSqlite(db)
    ? sql`(select value from json_each(${json})) as batch`
    : sql`jsonb_array_elements(${json}::jsonb) as batch(value)`;
}
