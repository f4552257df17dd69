import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { type LookupFunction, Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import pg from "pg";
import { onceMeanwhile } from "../../basis/once-meanwhile.ts";
import { settleStoreUrl } from "../store-url-parameters.ts";
import { NamedStatement, type Shapes, type StatementResult } from "./named-statement.ts";
import { silent } from "./postgres-trouble.ts";

const KEEP_ALIVE_AFTER_MS = 10_000;
/** Keep-alives let the server notice a client that vanished, and release its locks. */
const SERVER_KEEP_ALIVE = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

/** A role's own limit would end a connection that waits for work, again and again. */
const NEVER_IDLE = "-c idle_session_timeout=0";

/**
 * Statements wait for each other's locks and then see what was committed meanwhile: so they are written. A role or database
 * with another level would have them fail, or go on with what was true before they waited.
 */
const ISOLATION = "-c default_transaction_isolation=read\\ committed";

/** The name of the URL's database; `undefined` when the URL has none, or one that is not percent-encoded as it should be. */
function databaseOf({ pathname }: URL): string | undefined {
  try {
    return decodeURIComponent(pathname.slice(1)) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Name and options of every connection. Options of the URL come first, so that ours count; a name in the URL follows ours,
 * by which commands find the connections of programs that run. node-postgres would take the URL's alone, even empty ones,
 * and its limits. The database has its name besides, which node-postgres does not decode whole.
 * @param password asked for at each connection, in place of the URL's.
 * @throws CannotStart when the URL has a plain #, or a parameter that would be passed over in silence.
 */
export function connectionConfig(
  url: string,
  name: string,
  { options = "", password }: { readonly options?: string; readonly password?: (() => string) | undefined } = {},
): pg.ClientConfig {
  const parsed = URL.parse(url);
  const given = parsed?.searchParams.getAll("options") ?? [];
  const site = parsed?.searchParams.get("application_name") ?? "";
  const before = parsed?.searchParams.toString();
  const database = parsed === null ? undefined : databaseOf(parsed);
  if (parsed !== null) settleStoreUrl(parsed);
  return {
    connectionString: parsed?.searchParams.toString() === before ? url : parsed?.href,
    ...(database !== undefined && { database }),
    ...(password !== undefined && { password }),
    application_name: site === "" ? name : `${name} ${site}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    options: [...given, options, SERVER_KEEP_ALIVE, NEVER_IDLE, ISOLATION].filter((part) => part !== "").join(" "),
  };
}

/** Whether a connection to the URL has TLS, or is not made. */
export function demandsTls(url: string): boolean {
  try {
    return Boolean(new pg.Client(connectionConfig(url, "")).ssl);
  } catch {
    // A file of a certificate that is missing.
    return true;
  }
}

/** Above this many bytes a copy costs more than the system's list of buffers. */
const JOINED_MAX = 16_384;

/** How each server is looked up; a process has few of them. */
const lookUps = new Map<string, () => Promise<LookupAddress[]>>();

/**
 * Connections that wait for the same name wait for one look-up of it, also one that was given up meanwhile: the C library
 * has two threads for look-ups, and where the DNS is slow those of a whole pool would come one after another.
 */
const lookUpTogether: LookupFunction = (host, { all }, answer) => {
  const lookUp = lookUps.get(host) ?? onceMeanwhile(() => lookup(host, { all: true }));
  lookUps.set(host, lookUp);
  lookUp().then(
    (addresses) => (all ? answer(null, addresses) : answer(null, addresses[0]?.address ?? "", addresses[0]?.family)),
    (error: NodeJS.ErrnoException) => answer(error, []),
  );
};

/** What node-postgres writes for one statement goes to the system as one buffer: a list of four small ones costs it more. */
class JoiningSocket extends Socket {
  /** As node-postgres calls it: a port and a host, or the path of a Unix socket. */
  override connect(place: unknown, host?: unknown): this {
    if (typeof place === "number" && typeof host === "string")
      return super.connect({ port: place, host, lookup: lookUpTogether });
    return super.connect(place as string);
  }

  override _writev(
    chunks: { readonly chunk: Buffer; readonly encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    const buffers = chunks.map(({ chunk }) => chunk);
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
    if (bytes > JOINED_MAX) super._writev?.(chunks, callback);
    else super._write(Buffer.concat(buffers, bytes), "buffer" as BufferEncoding, callback);
  }
}

/** What node-postgres sends when it connects; not in its types. */
interface Startup {
  readonly connectionParameters: { database: string };
  readonly connection: { ssl: boolean | ConnectionOptions };
  password: pg.ClientConfig["password"];
}

/**
 * Speaks TLS 1.2 at least, and checks the server's certificate unless the URL says not to, whatever the environment says
 * (NODE_TLS_REJECT_UNAUTHORIZED, `--tls-min-v1.0`).
 */
function withChecks(ssl: boolean | ConnectionOptions): boolean | ConnectionOptions {
  // Not a copy: node-postgres hides the key from those.
  if (ssl === false) return false;
  return Object.assign(ssl === true ? {} : ssl, { rejectUnauthorized: isChecked(ssl), minVersion: "TLSv1.2" } as const);
}

const isChecked = (ssl: true | ConnectionOptions): boolean => ssl === true || ssl.rejectUnauthorized !== false;

/**
 * A connection to PostgreSQL. Losing it does not end the process, and an answer that misses its deadline destroys it:
 * node-postgres' own deadline would keep using the connection, with the late answer still to come.
 */
export class PostgresConnection extends pg.Client {
  readonly #socket: Socket;
  readonly #shapes: Shapes = new Map();

  constructor(config: pg.ClientConfig = {}) {
    const socket = new JoiningSocket();
    const unreadable = whyUnreadable(config);
    super({ ...(unreadable === undefined && config), stream: () => socket });
    // node-postgres would take the name from the connection string alone, where it leaves “?”, “/” and others encoded.
    const startup = this as unknown as Startup;
    if (config.database !== undefined) startup.connectionParameters.database = config.database;
    startup.connection.ssl = withChecks(startup.connection.ssl);
    // As well the password; it calls a function when the server asks.
    if (typeof config.password === "function") startup.password = config.password;
    this.#socket = socket;
    if (unreadable !== undefined) socket.connect = () => socket.destroy(unreadable);
    // Queries under way fail by themselves. Without a listener the event would end the process.
    this.on("error", () => undefined);
  }

  /**
   * Asks one statement.
   * @param name of a statement that the server keeps for the connection; `undefined` for one that it is to forget.
   */
  ask(text: string, values: readonly unknown[], name: string | undefined): Promise<StatementResult> {
    if (name === undefined) return this.query(text, [...values]);
    return new Promise((resolve, reject) => {
      const answered = (error: Error | null, result?: StatementResult) => (result ? resolve(result) : reject(error));
      this.query(new NamedStatement({ name, text, values }, this.#shapes, answered));
    });
  }

  /** Closes the connection at once; queries under way fail with the error. */
  lose(error: Error): void {
    this.#socket.destroy(error);
  }

  /** Awaits an answer; when it misses the deadline, the connection is closed. `ms` 0 means no deadline. */
  async within<T>(ms: number, answer: Promise<T>): Promise<T> {
    if (ms === 0) return answer;
    const timer = setTimeout(() => this.lose(silent(ms)), ms);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connection properly, but does not wait for a server that does not answer. */
  async leave(ms: number): Promise<void> {
    await this.within(ms, this.end()).catch(() => undefined);
  }
}

/**
 * Why a client cannot be made: the files that the URL names may be missing for a moment. node-postgres reads them in its
 * constructor, which its pool also calls where nothing would catch the error: such a connection fails as it connects.
 */
function whyUnreadable(config: pg.ClientConfig): Error | undefined {
  try {
    new pg.Client(config);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
