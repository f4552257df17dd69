import type BetterSqlite3 from "better-sqlite3";

/** How many rows each table of an embedded store, or of a copy of it, has. */
export function countRows(store: BetterSqlite3.Database): ReadonlyMap<string, number> {
  const names = store
    .prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all();
  return new Map(
    names.map((name) => [name, store.prepare<[], number>(`select count(*) from "${name}"`).pluck().get() ?? 0]),
  );
}
