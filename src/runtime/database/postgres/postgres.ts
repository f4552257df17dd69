import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { CannotStart, unavailable } from "../../basis/errors.ts";
import type { Database, Store } from "../database.ts";
import { DEFAULT_DEADLINES, type Deadlines, runFor } from "../deadlines.ts";
import { createStoreHealth } from "../store-health.ts";
import { demandsTls } from "./postgres-connection.ts";
import { type Ask, postgresPool } from "./postgres-pool.ts";
import { tlsAdvice } from "./postgres-tls.ts";

const INT8_OID = 20;
/** Our 64-bit columns hold milliseconds and counters, both far below 2^53. */
pg.types.setTypeParser(INT8_OID, Number);

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
  const health = createStoreHealth({ commitsWhileFull: true });
  const { leases, end, raw, ask } = postgresPool({ url, password, connections, deadlines, health, stopping });
  try {
    await ask("select 1");
  } catch (cause) {
    await end();
    throw new CannotStart(refusedBy(url, cause as Parameters<typeof refusedBy>[1]), { cause });
  }
  let lockMs: number;
  try {
    await assertNothingBetween(ask);
    await assertDurableCommits(raw, ask);
    await assertRulesCount(ask);
    await countByOurselves(raw, ask);
    await keepToSchema(raw, ask);
    lockMs = await keepToLockLimit(raw, ask);
  } catch (error) {
    await end();
    throw error;
  }
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: leases(lockMs) }) });
  const enter = placesForExports(connections);
  return {
    dialect: "postgres",
    connections: { most: connections, waitMs: deadlines.connectMs },
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

/** The server ends, or the connection is lost: nothing is said of the statement (PostgreSQL, appendix A). */
const ENDS = /^(?:08|57P)/;

/** @throws CannotStart when the connection that has just answered is lost, or the server refuses the statement. */
async function asked<Row extends pg.QueryResultRow>(ask: Ask, text: string): Promise<Row> {
  try {
    return (await ask<Row>(text))[0] as Row;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (cause instanceof pg.DatabaseError && !ENDS.test(code ?? ""))
      throw new CannotStart(
        `The PostgreSQL server refuses what a start asks it: ${message} (${code}). Mend that and start again.`,
        { cause },
      );
    throw new CannotStart(`The PostgreSQL store does not answer (${code ?? message}). Start again.`, { cause });
  }
}

/** Sets a parameter for later connections, after what the URL says. */
function pin(pool: pg.Pool, name: string, value: string): void {
  const { options } = pool as unknown as { readonly options: { options?: string } };
  options.options = `${options.options ?? ""} -c ${name}=${value.replaceAll(/[\\\s]/g, "\\$&")}`;
}

/**
 * Asserts that what a connection sets at its beginning is in force. A pool in front of the server (PgBouncer) refuses such
 * parameters or, where it is told to ignore them, keeps them back: durable commits, the schema and the limits would be
 * the role's, and prepared statements and LISTEN would be another connection's.
 * @throws CannotStart naming those that did not arrive.
 */
async function assertNothingBetween(ask: Ask): Promise<void> {
  const { missing } = await asked<{ readonly missing: string | null }>(
    ask,
    `select string_agg(name, ', ' order by name) as missing from pg_settings
     where name in ('jit', 'statement_timeout') and source <> 'client'`,
  );
  if (missing !== null)
    throw new CannotStart(
      `Something between Gatehouse and the PostgreSQL server, a pool such as PgBouncer, keeps back what each connection sets at its beginning (${missing}). Name the server itself in store-url.`,
    );
}

/**
 * Ends the role's or database's own limit of transactions, which PostgreSQL has from version 17 on: ours depend on what a
 * transaction is for (deadlines.ts), and exports and migrations have another one. Earlier versions refuse the parameter.
 */
async function countByOurselves(pool: pg.Pool, ask: Ask): Promise<void> {
  const { known } = await asked<{ readonly known: string | null }>(
    ask,
    "select (select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout') as known",
  );
  if (known !== null) pin(pool, "transaction_timeout", "0");
}

/**
 * Keeps all connections to the limit of waiting for a lock that the role, the database or the URL has now: what callers ask
 * for waits no longer than that, nor than for a connection (R-X411).
 * @returns it, in milliseconds; 0 means no limit.
 */
async function keepToLockLimit(pool: pg.Pool, ask: Ask): Promise<number> {
  const { ms } = await asked<{ readonly ms: number }>(
    ask,
    "select setting::integer as ms from pg_settings where name = 'lock_timeout'",
  );
  pin(pool, "lock_timeout", String(ms));
  return ms;
}

/** With any other value a commit is acknowledged before the server, or the standby that takes over, has flushed it. */
const DURABLE: readonly string[] = ["on", "remote_apply"];

/**
 * Asserts that an acknowledged commit is durable, as that of the embedded store is (decision 0076). Later
 * connections set the same value, even if the database's default has changed since.
 * @throws CannotStart naming the server's setting.
 */
async function assertDurableCommits(pool: pg.Pool, ask: Ask): Promise<void> {
  const { synchronous_commit: value } = await asked<{ readonly synchronous_commit: string }>(
    ask,
    "show synchronous_commit",
  );
  if (!DURABLE.includes(value))
    throw new CannotStart(
      `The PostgreSQL store may lose acknowledged commits: its synchronous_commit is ${value}. Set it to on for this database or role, for example: alter role … set synchronous_commit = on`,
    );
  pin(pool, "synchronous_commit", value);
}

/**
 * Asserts that references and triggers count: guards, and the one by which a feed knows its end. A session of a replica
 * leaves them out, a setting that is made for loading rows and easily stays. No connection can end it, since only a
 * superuser may set it.
 * @throws CannotStart naming the server's setting.
 */
async function assertRulesCount(ask: Ask): Promise<void> {
  const { session_replication_role: value } = await asked<{ readonly session_replication_role: string }>(
    ask,
    "show session_replication_role",
  );
  if (value === "replica")
    throw new CannotStart(
      "The PostgreSQL store would take rows that break its rules: its session_replication_role is replica, with which neither references nor triggers count. End that for this database or role, for example: alter role … reset session_replication_role",
    );
}

/** Encodings that hold every letter of people's names; SQL_ASCII takes each byte as it is. */
const ENCODINGS: readonly string[] = ["UTF8", "SQL_ASCII"];

interface FoundSchema {
  readonly encoding: string;
  readonly schema: string | null;
  /** The first schema on the path that has a ledger of migrations. */
  readonly ledger: string | null;
  /** As the role, the database or the URL set it. */
  readonly path: string;
}

/**
 * Keeps all connections to the schema that is the current one now. Without that, a schema that is made later and comes
 * earlier on the search path (`"$user", public` is the default) would be an empty store, for running processes too.
 * @throws CannotStart when an installation is in a schema that is hidden so already, there is no schema at all, or the
 * encoding lacks letters.
 */
async function keepToSchema(pool: pg.Pool, ask: Ask): Promise<void> {
  const found = await asked<FoundSchema>(
    ask,
    `select current_setting('server_encoding') as encoding, current_setting('search_path') as path,
      current_schema()::text as schema, (
      select nspname::text from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname = 'migration_ledger' and relkind = 'r' and nspname = any(current_schemas(false))
      order by array_position(current_schemas(false), nspname) limit 1
    ) as ledger`,
  );
  const { encoding, schema, ledger } = found;
  if (!ENCODINGS.includes(encoding))
    throw new CannotStart(
      `The PostgreSQL database has the encoding ${encoding}, which lacks letters of people's names. Make one with UTF8: create database … encoding 'UTF8' template template0`,
    );
  if (ledger !== null && ledger !== schema)
    throw new CannotStart(
      `The PostgreSQL database has a Gatehouse store in schema ${ledger}, but schema ${schema} comes first on the role's search_path and has none. Put the other one first: alter role … set search_path = ${ledger}`,
    );
  if (schema === null)
    throw new CannotStart(
      `The PostgreSQL database has no schema of the role's search_path (${found.path}), or none that the role may use. Create one, as the database's owner: create schema <name> authorization <role>; or correct the path: alter role … set search_path = public`,
    );
  const { path } = await asked<{ readonly path: string }>(
    ask,
    "select set_config('search_path', quote_ident(current_schema()), false) as path",
  );
  pin(pool, "search_path", path);
}
