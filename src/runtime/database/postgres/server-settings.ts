import pg from "pg";
import { CannotStart } from "../../basis/errors.ts";
import type { Ask } from "./postgres-pool.ts";

/** What the server, the database, the role or the URL sets, and a process goes by. */
interface ServerSettings {
  /** Most milliseconds that a connection waits for a lock; 0 means no limit. */
  readonly lockMs: number;
}

/**
 * Asserts what a store needs of the server's settings, and sets for all later connections of the pool what must not change
 * while the process runs.
 * @throws CannotStart naming the first setting that a store cannot be kept with, and what to do about it.
 */
export async function keepToServerSettings(pool: pg.Pool, ask: Ask): Promise<ServerSettings> {
  await assertNothingBetween(ask);
  await assertDurableCommits(pool, ask);
  await assertRulesCount(ask);
  await countByOurselves(pool, ask);
  await keepToSchema(pool, ask);
  return { lockMs: await keepToLockLimit(pool, ask) };
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
