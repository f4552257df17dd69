import { createHash } from "node:crypto";
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from "kysely";
import pg from "pg";
import { StartRefused } from "../basis/errors.ts";
import { assertNoOpenChange, type Database, isStalePlan, type Store } from "./database.ts";
import { createStoreHealth } from "./store-health.ts";

const INT8_OID = 20;
/** Our 64-bit columns hold milliseconds and counters, both far below 2^53. */
pg.types.setTypeParser(INT8_OID, Number);

const STATEMENT_NAMES_CACHED_MAX = 1_000;

export interface PostgresStore extends Store {
  /** For LISTEN, which needs a connection of its own. */
  readonly url: string;
}

/**
 * Opens the PostgreSQL store at the URL with a pool of at most `connections`.
 * @throws StartRefused when the server does not answer or refuses us; the password never appears in the text.
 */
export async function openPostgres(
  url: string,
  { connections = 10 }: { readonly connections?: number } = {},
): Promise<PostgresStore> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    application_name: "gatehouse",
    // Our statements take microseconds; compiling one that looks costly takes a third of a second, each time.
    options: "-c jit=off",
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  try {
    await pool.query("select 1");
  } catch (cause) {
    await pool.end();
    const { code, message } = cause as { code?: string; message: string };
    throw new StartRefused(
      `The PostgreSQL store does not accept us (${code ?? message}). Check store-url and that the server runs.`,
      { cause },
    );
  }
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: namingPool(pool) }) });
  return {
    dialect: "postgres",
    health: createStoreHealth(),
    url,
    view: <T>() => kysely as unknown as Database<T>,
    async snapshot<T>() {
      const db = (kysely as Kysely<T>).startTransaction();
      const tx = await db.setIsolationLevel("repeatable read").setAccessMode("read only").execute();
      // The transaction is of the instant of its first statement.
      await sql`select 1`.execute(tx);
      return { db: tx, close: () => tx.rollback().execute() };
    },
    close: () => kysely.destroy(),
  };
}

const newName = (sql: string): string => `gh_${createHash("sha256").update(sql).digest("hex").slice(0, 32)}`;

/** Gives every statement a name, so that the server parses and plans it once per connection. */
function namingPool(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  let renamed = 0;
  const nameOf = (sql: string): string => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    const name = newName(sql);
    if (names.size >= STATEMENT_NAMES_CACHED_MAX) names.clear();
    names.set(sql, name);
    return name;
  };
  const run = async (client: pg.PoolClient, text: string, values: readonly unknown[]) => {
    try {
      return await client.query({ name: nameOf(text), text, values: [...values] });
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      // A newer program changed a table meanwhile; under another name the statement is planned anew. In a transaction that comes too
      // late, and the transaction must be tried again.
      const name = `${newName(text)}_${++renamed}`;
      names.set(text, name);
      return client.query({ name, text, values: [...values] }).catch(() => {
        throw error;
      });
    }
  };
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      assertNoOpenChange();
      const client = await pool.connect();
      const known = clients.get(client);
      if (known !== undefined) return known;
      const naming = {
        query: (sql: string, values: readonly unknown[]) => run(client, sql, values),
        release: () => client.release(),
      } as unknown as PostgresPoolClient;
      clients.set(client, naming);
      return naming;
    },
    end: () => pool.end(),
  } as unknown as PostgresPool;
}
