import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { accessSync, chmodSync, chownSync, constants, readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { newOwnedFolder } from "./memory.ts";

/** A PostgreSQL server of the tests, reachable by its Unix socket only. */
export interface PostgresServer {
  /** Directory of its socket. */
  readonly directory: string;
  /** Ends the server as `pg_ctl stop -m` does, and starts it again on the same data. */
  restart(mode: "fast" | "immediate"): Promise<void>;
  stop(): Promise<void>;
}

const FOLDER_PREFIX = "gh-pg-";
const INSTALLED = "/usr/lib/postgresql";
const START_MS = 60_000;
const STOP_MS = 60_000;

// The shell's server is another: psql, node-postgres and postgres itself would take its port, its host or its user for ours.
for (const name of Object.keys(process.env)) if (name.startsWith("PG")) delete process.env[name];

const isRoot = (): boolean => process.getuid?.() === 0;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Directory that holds `postgres` and `initdb`: GATEHOUSE_TEST_POSTGRES_BIN, PATH, then the newest of Debian's. */
export function postgresBin(): string | undefined {
  let installed: string[] = [];
  try {
    installed = readdirSync(INSTALLED).sort((one, other) => Number(other) - Number(one));
  } catch {
    // No such directory: not Debian, or not installed.
  }
  const candidates = [
    process.env.GATEHOUSE_TEST_POSTGRES_BIN ?? "",
    ...(process.env.PATH ?? "").split(delimiter),
    ...installed.map((version) => join(INSTALLED, version, "bin")),
  ];
  return candidates.find(
    (bin) => bin !== "" && isExecutable(join(bin, "postgres")) && isExecutable(join(bin, "initdb")),
  );
}

/** Undefined when a server can be started here, otherwise what is missing. */
export function postgresMissing(): string | undefined {
  if (process.env.GATEHOUSE_TEST_STORES === "sqlite") return "GATEHOUSE_TEST_STORES says that SQLite is enough";
  if (postgresBin() === undefined) {
    return "looked for postgres and initdb in GATEHOUSE_TEST_POSTGRES_BIN, PATH and /usr/lib/postgresql/*/bin; install them with: apt-get install postgresql";
  }
  return isRoot() && postgresUser() === undefined
    ? "PostgreSQL refuses to run as root, and there is no user postgres to run it as"
    : undefined;
}

function postgresUser(): { readonly uid: number; readonly gid: number } | undefined {
  const [, , uid, gid] =
    /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"))?.[0]?.split(":") ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** The command as the user who may run it; it ends with us where the platform can promise that. */
function command(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  if (process.platform !== "linux") return [program, args];
  const user = isRoot() ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  return ["setpriv", [...user, "--pdeathsig=INT", program, ...args]];
}

/**
 * Makes a new cluster in a folder of its own and starts a server on it, tuned for tests: nothing of it survives a power cut.
 * @param port of 127.0.0.1 where it listens too, and after which its socket is named.
 */
export async function startPostgres(port?: number): Promise<PostgresServer> {
  const bin = postgresBin();
  if (bin === undefined) throw new Error(`There is no PostgreSQL: ${postgresMissing()}`);
  // The path must stay short: a socket's path ends at 107 bytes.
  const directory = newOwnedFolder(FOLDER_PREFIX);
  chmodSync(directory, 0o700);
  const user = isRoot() ? postgresUser() : undefined;
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, "data");
  const initArgs = ["-D", data, "-U", "gatehouse", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const [init, initCommand] = command(join(bin, "initdb"), initArgs);
  execFileSync(init, initCommand, { stdio: ["ignore", "ignore", "pipe"], cwd: directory });
  const listens = port === undefined ? ["listen_addresses="] : ["listen_addresses=127.0.0.1", `port=${port}`];
  const options = [...listens, "fsync=off", "full_page_writes=off", "max_connections=300"];
  const [program, args] = command(join(bin, "postgres"), [
    "-D",
    data,
    "-k",
    directory,
    ...options.flatMap((option) => ["-c", option]),
  ]);
  let server: ChildProcess;
  const start = async () => {
    server = spawn(program, args, { stdio: "ignore", cwd: directory });
    server.unref();
    await ready(directory, port, server);
  };
  const stop = async () => {
    await end(server, "SIGINT");
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    directory,
    stop,
    async restart(mode) {
      await end(server, mode === "fast" ? "SIGINT" : "SIGQUIT");
      await start();
    },
  };
}

async function ready(directory: string, port: number | undefined, server: ChildProcess): Promise<void> {
  const endAt = Date.now() + START_MS;
  while (Date.now() < endAt && server.exitCode === null && server.signalCode === null) {
    const client = new pg.Client({ host: directory, port, user: "gatehouse", database: "postgres" });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error(
    `PostgreSQL did not start in ${directory} (exit code ${server.exitCode}, signal ${server.signalCode}).`,
  );
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) resolve();
    else server.once("exit", () => resolve());
  });
  server.ref();
  server.kill(signal);
  // A server that is killed leaves processes behind, beside which none starts on its data.
  const forced = setTimeout(() => server.kill("SIGKILL"), STOP_MS);
  await exited;
  clearTimeout(forced);
}
