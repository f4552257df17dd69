import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { postgresBin } from "../../support/postgres-server.ts";
import type { Closer } from "../../support/scope.ts";

const PORT = 5432;
const DATABASE = "gatehouse";
const USER = "gatehouse";
const START_MS = 60_000;

const OF_OURS =
  "join pg_namespace as space on space.oid = relnamespace where nspname not in ('pg_catalog', 'information_schema')";
const INDEXES = `select pg_class.oid, relname as name from pg_class join pg_am on pg_am.oid = relam and amname = 'btree' ${OF_OURS} and relkind = 'i' and nspname <> 'pg_toast'`;
const TABLES = `select pg_class.oid, relname as name from pg_class ${OF_OURS} and relkind in ('r', 't')`;

/** A PostgreSQL server that keeps what it acknowledged, and can be stopped and started while others use it. */
export interface PostgresStore {
  /** Its Unix socket. */
  readonly socket: string;
  readonly database: string;
  readonly user: string;
  /** One statement over a connection of its own; its rows. */
  query(sql: string, parameters?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  /** `fast` ends sessions in order, `immediate` is a crash of the server. */
  restart(mode: "fast" | "immediate"): Promise<void>;
  /** Starts it where it has ended by itself, for want of space. */
  ensureRunning(): Promise<void>;
  /** Looks into every table and index (amcheck); what is wrong, one line each. */
  integrity(): Promise<readonly string[]>;
}

/** @param directory Empty, on the file system that the server is to use. */
export async function openPostgresStore(
  closeLater: (closer: Closer) => void,
  directory: string,
): Promise<PostgresStore> {
  const bin = postgresBin() ?? "";
  const data = join(directory, "data");
  const sockets = join(directory, "socket");
  mkdirSync(sockets);
  const owner = postgresOwner();
  if (owner !== undefined) for (const path of [directory, sockets]) chownSync(path, ...owner);
  const asOwner = (program: string, args: readonly string[]): [string, string[]] => {
    const user = owner === undefined ? [] : ["--reuid=postgres", "--regid=postgres", "--clear-groups"];
    return ["setpriv", [...user, "--pdeathsig=QUIT", join(bin, program), ...args]];
  };
  const initialise = ["-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(...asOwner("initdb", initialise), { stdio: ["ignore", "ignore", "pipe"], cwd: directory });
  // Small log files, so that the database and not its log fills the disk.
  const settings = ["listen_addresses=", "max_connections=100", "max_wal_size=128MB", "min_wal_size=32MB"];
  let server: ChildProcess | undefined;

  /** Writes also while the server is read-only for others. */
  const withClient = async <T>(work: (client: pg.Client) => Promise<T>, database = DATABASE): Promise<T> => {
    const options = "-c default_transaction_read_only=off";
    const client = new pg.Client({ host: sockets, user: USER, database, options });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const query: PostgresStore["query"] = (sql, parameters = []) =>
    withClient(async (client) => (await client.query(sql, [...parameters])).rows);
  const runs = () => server !== undefined && server.exitCode === null && server.signalCode === null;
  const start = async () => {
    const until = Date.now() + START_MS;
    while (Date.now() < until) {
      if (!runs()) {
        const args = ["-D", data, "-k", sockets, ...settings.flatMap((setting) => ["-c", setting])];
        server = spawn(...asOwner("postgres", args), { stdio: "ignore", cwd: directory });
      }
      const answered = await query("select 1").catch((error: { readonly code?: string }) => error.code === "3D000");
      if (answered !== false) return;
      await sleep(100);
    }
    throw new Error("PostgreSQL did not start.");
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (server === undefined || !runs()) return;
    const exited = once(server, "exit");
    server.kill(signal);
    await exited;
  };
  closeLater(() => stop("SIGQUIT"));
  await start();
  await withClient((client) => client.query(`create database ${DATABASE}`), "postgres");
  return {
    socket: join(sockets, `.s.PGSQL.${PORT}`),
    database: DATABASE,
    user: USER,
    query,
    ensureRunning: start,
    async restart(mode) {
      await stop(mode === "fast" ? "SIGINT" : "SIGQUIT");
      await start();
    },
    async integrity() {
      await query("create extension if not exists amcheck");
      const faults: string[] = [];
      await withClient(async (client) => {
        for (const { oid, name } of (await client.query(INDEXES)).rows)
          await client
            .query("select bt_index_check($1::oid, true)", [oid])
            .catch((error) => faults.push(`index ${name}: ${error.message}`));
        for (const { oid, name } of (await client.query(TABLES)).rows)
          for (const row of (await client.query("select * from verify_heapam($1::oid)", [oid])).rows)
            faults.push(`table ${name}: ${JSON.stringify(row)}`);
      });
      return faults;
    },
  };
}

/** PostgreSQL refuses to run as root. */
function postgresOwner(): [number, number] | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"));
  return found === null ? undefined : [Number(found[1]), Number(found[2])];
}
