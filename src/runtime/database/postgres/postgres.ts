import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { CannotStart, unavailable } from "../../basis/errors.ts";
import type { Database, Store } from "../database.ts";
import { DEFAULT_DEADLINES, type Deadlines, runFor } from "../deadlines.ts";
import { tlsAdvice } from "../postgres-tls.ts";
import { createStoreHealth } from "../store-health.ts";
import { demandsTls } from "./postgres-connection.ts";
import { postgresPool } from "./postgres-pool.ts";
import { keepToServerSettings } from "./server-settings.ts";

const INT8_OID = 20;
/** Our 64-bit columns hold milliseconds and counters, both far below 2^53. */
pg.types.setTypeParser(INT8_OID, Number);

const CONNECTIONS = {
  name: "gatehouse_store_connection_wait_seconds",
  help: "How long reads and changes waited for a connection of the process's own, those included that got none.",
};

export interface PostgresStore extends Store {
  /** For LISTEN, which needs a connection of its own. */
  readonly url: string;
}

interface PostgresOptions {
  /** Asked for at each connection, in place of the URL's. */
  readonly password?: (() => string) | undefined;
  readonly connections?: number;
  readonly deadlines?: Deadlines;
  /** Aborted when the process begins to stop: from then on every statement has a short deadline. */
  readonly stopping?: AbortSignal;
}

/**
 * Opens the PostgreSQL store at the URL with a pool of at most `connections`.
 * @throws CannotStart when the server does not answer or refuses us; the password never appears in the text.
 */
export async function openPostgres(
  url: string,
  {
    password,
    connections = 10,
    deadlines = DEFAULT_DEADLINES,
    stopping = new AbortController().signal,
  }: PostgresOptions = {},
): Promise<PostgresStore> {
  const health = createStoreHealth({ commitsWhileFull: true, waits: CONNECTIONS });
  const { leases, end, raw, ask } = postgresPool({ url, password, connections, deadlines, health, stopping });
  try {
    await ask("select 1");
  } catch (cause) {
    await end();
    throw new CannotStart(refusedBy(url, cause as Parameters<typeof refusedBy>[1]), { cause });
  }
  let lockMs: number;
  try {
    ({ lockMs } = await keepToServerSettings(raw, ask));
  } catch (error) {
    await end();
    throw error;
  }
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: leases(lockMs) }) });
  const enter = placesForExports(connections);
  return {
    dialect: "postgres",
    connections: { most: connections, waitMs: deadlines.connectMs, lockMs },
    health,
    url,
    view: <T>() => kysely as unknown as Database<T>,
    async snapshot<T>() {
      const leave = enter();
      try {
        const beginning = (kysely as Kysely<T>).startTransaction();
        const read = beginning.setIsolationLevel("repeatable read").setAccessMode("read only");
        const tx = await runFor("export", () => read.execute());
        const close = () => tx.rollback().execute().finally(leave);
        try {
          // The snapshot is taken by the transaction's first statement.
          await sql`select 1`.execute(tx);
        } catch (error) {
          await close();
          throw error;
        }
        return { db: tx, close };
      } catch (error) {
        leave();
        throw error;
      }
    },
    // Each transaction has a commit of its own.
    beforeCommit: () => undefined,
    async forgetOverwritten() {
      await renewStatistics(kysely);
      return true;
    },
    async close() {
      await kysely.destroy();
      // Kysely ends nothing that was never used.
      if (!raw.ending) await end();
    },
  };
}

/**
 * Counts snapshots: each keeps a connection for as long as the reader of an export takes, and requests need the others.
 * What it returns takes a place and returns how to leave it, which counts once.
 * @throws UNAVAILABLE from the place when half of the connections have one (R-X369).
 */
function placesForExports(connections: number): () => () => void {
  const most = Math.max(1, Math.floor(connections / 2));
  const taken = new Set<object>();
  return () => {
    if (taken.size >= most)
      throw unavailable(
        "As many exports are under way as this services process has connections for (half of store-connections). Begin again when one of them has ended.",
        { detail: `${most} snapshots are open` },
      );
    const place = {};
    taken.add(place);
    return () => void taken.delete(place);
  };
}

/**
 * Rows that were overwritten are the server's: no statement reads them, and its vacuum gives their space to others. But
 * `pg_stats` shows values of columns until statistics are made again, which the server does by itself after many changes only.
 */
async function renewStatistics(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ readonly name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = quote_ident(current_schema())::regnamespace`.execute(db);
  for (const { name } of rows) await sql`analyze ${sql.id(name)}`.execute(db);
}

/** What is wrong with the way to the server, and what to do about it; the password never appears (S50). */
function refusedBy(
  url: string,
  { code = "", message, path, routine }: NodeJS.ErrnoException & Pick<pg.DatabaseError, "routine">,
): string {
  const { host = "", username = "", pathname = "" } = URL.parse(url) ?? {};
  const server = `The PostgreSQL server ${host === "" ? "of store-url" : `at ${decoded(host)}`}`;
  const database = decoded(pathname.slice(1));
  const tls = tlsAdvice({ code, message, routine }, demandsTls(url));
  if (tls !== undefined) return `${server} ${tls}`;
  if (code.startsWith("28"))
    return `${server} refuses the role ${decoded(username)} (${code}). Check its password in store-url, and the server's rules of access (pg_hba.conf).`;
  if (code === "3D000") return `${server} has no database ${database} (${code}). Create it, or correct store-url.`;
  if (code === "53300")
    return `${server} has no connection left for us (${code}). Lower store-connections, or raise its max_connections.`;
  if (code === "08P01" && /startup parameter/.test(message))
    return `${server} is a pool (${message}), which keeps back what each connection sets at its beginning. Name the server behind it in store-url.`;
  if (code === "42704")
    return `${server} does not know a parameter (${message}). Gatehouse needs PostgreSQL 14 or newer; on such a server, correct the options in store-url.`;
  // OpenSSL's, before anything is sent; what a handshake meets is ERR_SSL_.
  if (code.startsWith("ERR_OSSL_") || code === "EISDIR")
    return `store-url names files that cannot be used (${code}). Name in sslcert the PEM file of a certificate, and in sslkey that of its own key, without a passphrase.`;
  if (path !== undefined)
    return `store-url names ${path}, which ${code === "ENOENT" ? "does not exist" : "cannot be read"} (${code}).`;
  return `${server} does not accept us (${code || message}). Check store-url and that the server runs.`;
}

/** The text as it is where it is not percent-encoded as it should be. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
