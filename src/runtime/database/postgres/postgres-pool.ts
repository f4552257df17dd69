import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { storeUnavailable } from "../../basis/store-troubles.ts";
import { assertNoOpenChange } from "../database.ts";
import { type Deadlines, limitsFor, purposeHere } from "../deadlines.ts";
import type { StoreHealth } from "../store-health.ts";
import { LeasedClient } from "./leased-client.ts";
import { connectionConfig, PostgresConnection } from "./postgres-connection.ts";
import { type Connections, PostgresLease } from "./postgres-lease.ts";
import { isNoneLeft, postgresTroubleOf, silent } from "./postgres-trouble.ts";
import { statementNames } from "./statement-names.ts";

/** How long a stopping process waits for one statement; the grace time must suffice for several. */
const STATEMENT_WHILE_STOPPING_MS = 3_000;
/** How long no more connections are asked of a server that had none left. */
const NONE_LEFT_MS = 5_000;
/** How long closing the pool waits for connections in use. */
const END_MS = 2_000;

/** The pool creates only connections of this class, but its types do not show it. */
const ours = (client: pg.PoolClient): PostgresConnection => client as unknown as PostgresConnection;

interface PoolOptions {
  readonly url: string;
  readonly password: (() => string) | undefined;
  readonly connections: number;
  readonly deadlines: Deadlines;
  readonly health: StoreHealth;
  /** Aborted when the process begins to stop. */
  readonly stopping: AbortSignal;
}

/** Asks while the store is opened, without a lease; the answer has the deadline of a statement. */
export type Ask = <Row extends pg.QueryResultRow>(text: string) => Promise<readonly Row[]>;

/** Connections to PostgreSQL for Kysely. Everything that fails because of the server or the network fails with UNAVAILABLE. */
export function postgresPool({ url, password, connections, deadlines, health, stopping }: PoolOptions) {
  const pool = new pg.Pool({
    // No JIT: our statements take microseconds, and compiling one that looks costly takes a third of a second each time.
    ...connectionConfig(url, "gatehouse", { options: "-c jit=off", password }),
    Client: PostgresConnection,
    max: connections,
    connectionTimeoutMillis: deadlines.connectMs,
    statement_timeout: deadlines.statementMs,
    idle_in_transaction_session_timeout: limitsFor("ordinary", deadlines, 0).idleMs,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  const open = new Set<PostgresConnection>();
  pool.on("connect", (client) => void open.add(ours(client)));
  pool.on("remove", (client) => void open.delete(ours(client)));

  const leased = new Map<PostgresConnection, PostgresLease>();
  const used = new WeakSet<PostgresConnection>();

  let moreLater: NodeJS.Timeout | undefined;
  /** Waits for one that the pool has when the server has no more for us, unless the pool has none. */
  const connect = async (): Promise<PostgresConnection> => {
    try {
      return ours(await pool.connect());
    } catch (error) {
      if (!isNoneLeft(error) || open.size === 0) throw error;
      pool.options.max = open.size;
      clearTimeout(moreLater);
      moreLater = setTimeout(() => {
        pool.options.max = connections;
      }, NONE_LEFT_MS);
      moreLater.unref();
      return ours(await pool.connect());
    }
  };
  const source: Connections = {
    async take() {
      const askedAt = performance.now();
      try {
        const connection = await connect();
        const isNew = !used.has(connection);
        used.add(connection);
        return { connection, isNew };
      } catch (error) {
        // Without a connection no statement can be at fault, whatever the error is: certificates have many.
        const met = postgresTroubleOf(error) ?? "away";
        // An exhausted pool does not mean that the store is in trouble; but trouble may have exhausted it.
        const trouble = met === "busy" ? (health.trouble ?? met) : met;
        if (trouble === "busy" && !(isNoneLeft(error) && open.size === 0)) health.readFailed(trouble);
        else health.writeFailed(trouble);
        throw storeUnavailable(trouble, error);
      } finally {
        health.waited(performance.now() - askedAt);
      }
    },
    leased: (connection, lease) => void leased.set(connection, lease),
    giveBack(connection, isLost) {
      leased.delete(connection);
      (connection as unknown as pg.PoolClient).release(isLost);
    },
    suspectIdle() {
      for (const connection of open) if (!leased.has(connection)) connection.lose(silent(deadlines.connectMs));
    },
    statementMsMax: () => (stopping.aborted ? STATEMENT_WHILE_STOPPING_MS : Number.POSITIVE_INFINITY),
  };
  stopping.addEventListener("abort", () => {
    for (const lease of leased.values()) lease.hurry(STATEMENT_WHILE_STOPPING_MS);
  });

  const names = statementNames();
  /** Waits a moment for connections in use, then closes them. */
  const end = async (): Promise<void> => {
    const timer = setTimeout(() => {
      for (const connection of leased.keys()) connection.lose(silent(END_MS));
    }, END_MS);
    await pool.end().finally(() => clearTimeout(timer));
  };
  const free: LeasedClient[] = [];
  /** @param lockMs most milliseconds that a connection waits for a lock; 0 means no limit. */
  const leases = (lockMs: number): PostgresPool => ({
    options: pool.options,
    async connect(): Promise<PostgresPoolClient> {
      assertNoOpenChange();
      const lease = new PostgresLease({ source, names, deadlines, lockMs, health, purpose: purposeHere() });
      await lease.begin();
      const client = free.pop() ?? new LeasedClient((used) => void free.push(used));
      client.lease = lease;
      return client as unknown as PostgresPoolClient;
    },
    end,
  });
  const ask: Ask = async <Row extends pg.QueryResultRow>(text: string) => {
    const connection = await pool.connect();
    try {
      const { rows } = await ours(connection).within(deadlines.statementMs, connection.query<Row>(text));
      connection.release();
      return rows;
    } catch (error) {
      connection.release(true);
      throw error;
    }
  };
  return { leases, end, raw: pool, ask };
}
