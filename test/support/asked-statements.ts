import BetterSqlite3 from "better-sqlite3";
import pg from "pg";

/**
 * How the embedded store lets transactions share a commit, and reads a read transaction, which keeps its view while a commit is
 * flushed (decision 0076): no question, and nothing waits for another process.
 */
const FRAME = [
  ...["begin", "begin immediate", "savepoint member", "release member", "commit"],
  "select 1 from sqlite_schema limit 1",
];

/** What the connection of signals asks by itself, at any moment, signals of an earlier change too (postgres-wake.ts). */
const OF_THE_LISTENER = /^(select 1|listen \w+|select pg_backend_pid\(\) as pid|select pg_notify\(\$1, \$2\))$/;

/**
 * The statements that reach the driver of either database while the work is done, in order; on PostgreSQL `begin` and `commit` are
 * among them, since each is a round trip.
 */
export async function watchStatements(work: () => Promise<unknown>): Promise<readonly string[]> {
  const asked: string[] = [];
  const note = (statement: unknown) => {
    const text = typeof statement === "string" ? statement : String((statement as { text: string }).text);
    if (!OF_THE_LISTENER.test(text)) asked.push(text);
  };
  const ofPostgres = pg.Client.prototype.query;
  const spies = [
    jest.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...given: unknown[]) {
      note(given[0]);
      return Reflect.apply(ofPostgres, this, given);
    } as never),
  ];
  const prototype = Object.getPrototypeOf(new BetterSqlite3(":memory:").prepare("select 1"));
  for (const name of ["all", "run"] as const) {
    const before = prototype[name];
    spies.push(
      jest.spyOn(prototype, name).mockImplementation(function (this: BetterSqlite3.Statement, ...given: unknown[]) {
        if (!FRAME.includes(this.source)) note(this.source);
        return Reflect.apply(before, this, given);
      } as never) as never,
    );
  }
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return asked;
}
