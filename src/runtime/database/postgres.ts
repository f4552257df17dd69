import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { StartRefused } from "../basis/errors.ts";
import type { Database, Store } from "./database.ts";
import { DEFAULT_DEADLINES, type Deadlines, runFor } from "./deadlines.ts";
import { assertDurableCommits } from "./postgres-durability.ts";
import { postgresPool } from "./postgres-pool.ts";
import { createStoreHealth } from "./store-health.ts";

const INT8_OID = 20;
/** Our 64-bit columns hold milliseconds and counters, both far below 2^53. */
pg.types.setTypeParser(INT8_OID, Number);

export interface PostgresStore extends Store {
  /** For LISTEN, which needs a connection of its own. */
  readonly url: string;
}

export interface PostgresOptions {
  readonly connections?: number;
  readonly deadlines?: Deadlines;
  /** Aborted when the process begins to stop: from then on every statement has a short deadline. */
  readonly stopping?: AbortSignal;
}

/**
 * Opens the PostgreSQL store at the URL with a pool of at most `connections`.
 * @throws StartRefused when the server does not answer or refuses us; the password never appears in the text.
 */
export async function openPostgres(
  url: string,
  { connections = 10, deadlines = DEFAULT_DEADLINES, stopping = new AbortController().signal }: PostgresOptions = {},
): Promise<PostgresStore> {
  const health = createStoreHealth();
  const { pool, raw } = postgresPool({ url, connections, deadlines, health, stopping });
  try {
    await raw.query("select 1");
  } catch (cause) {
    await pool.end();
    const { code, message } = cause as { code?: string; message: string };
    throw new StartRefused(
      `The PostgreSQL store does not accept us (${code ?? message}). Check store-url and that the server runs.`,
      { cause },
    );
  }
  await assertDurableCommits(raw);
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return {
    dialect: "postgres",
    health,
    url,
    view: <T>() => kysely as unknown as Database<T>,
    async snapshot<T>() {
      const db = (kysely as Kysely<T>).startTransaction();
      const beginning = db.setIsolationLevel("repeatable read").setAccessMode("read only");
      const tx = await runFor("export", () => beginning.execute());
      const close = () => tx.rollback().execute();
      try {
        // The snapshot is taken by the transaction's first statement.
        await sql`select 1`.execute(tx);
      } catch (error) {
        await close();
        throw error;
      }
      return { db: tx, close };
    },
    close: () => kysely.destroy(),
  };
}
