import BetterSqlite3 from "better-sqlite3";

/** Adds a table that takes SQLite many minutes to check, as a hundred gigabytes would. */
export function slowToCheck(path: string): void {
  const handle = new BetterSqlite3(path);
  try {
    handle.pragma("ignore_check_constraints = on");
    handle.exec("create table slow (number integer check (length(hex(zeroblob(number))) > 0))");
    handle.exec(`
      insert into slow
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 30000)
      select 10000000 from numbers`);
  } finally {
    handle.close();
  }
}
