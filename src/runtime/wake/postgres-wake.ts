import { connectionConfig, PostgresConnection } from "../database/postgres/postgres-connection.ts";
import type { Log } from "../process/log.ts";
import { createWake, STORE_IS_BACK, type Wake } from "./wake.ts";

const CHANNEL = "gatehouse_wake";
const RECONNECT_MS = 1_000;
const CONNECT_MS = 5_000;
const LEAVE_MS = 500;

/**
 * How often the connection is probed, and how long it may take to answer. Nothing else would notice that notifications
 * have stopped.
 */
interface WakePace {
  readonly lookEveryMs: number;
  readonly answerMs: number;
}

const PACE: WakePace = { lookEveryMs: 5_000, answerMs: 5_000 };

/**
 * Wakes across the processes that share a PostgreSQL store, by LISTEN and NOTIFY on a connection of its own. While that
 * connection is down, waiters poll. A connection that is lost or silent is replaced, and LISTEN taken up again. A signal
 * of this process is not heard again from the server.
 * @param password asked for at each connection, in place of the URL's.
 */
export function postgresWake(
  url: string,
  log: Log,
  { lookEveryMs, answerMs }: WakePace = PACE,
  password?: () => string,
): Wake {
  const local = createWake();
  let listening: PostgresConnection | undefined;
  let connecting: PostgresConnection | undefined;
  let closed = false;
  let isDown = false;
  let retry: NodeJS.Timeout | undefined;

  const isLost = (error?: unknown): void => {
    if (closed) return;
    if (!isDown) log.warn("The wake connection was lost; loops poll until it is back.", { error });
    isDown = true;
    clearTimeout(retry);
    retry = setTimeout(() => void connect(), RECONNECT_MS);
  };

  async function connect(): Promise<void> {
    let next: PostgresConnection | undefined;
    try {
      // Reads the certificates that the URL names: they may be missing for a moment.
      next = new PostgresConnection({
        ...connectionConfig(url, "gatehouse wake", { password }),
        connectionTimeoutMillis: CONNECT_MS,
      });
      connecting = next;
      await next.connect();
      const own = (await next.within(answerMs, next.query("select pg_backend_pid() as pid"))).rows[0].pid;
      next.on("notification", ({ payload, processId }) => {
        // What this connection announced has been signalled here before: a second time, loops would look for nothing.
        if (payload !== undefined && processId !== own) local.signal(payload);
      });
      await next.within(answerMs, next.query(`listen ${CHANNEL}`));
    } catch (error) {
      // It may have connected before LISTEN failed.
      void next?.leave(LEAVE_MS);
      isLost(error);
      return;
    } finally {
      connecting = undefined;
    }
    if (closed) return next.leave(LEAVE_MS);
    // What the server said at last, when it ended the connection.
    let reason: unknown;
    next.once("error", (error) => {
      reason = error;
    });
    next.once("end", () => {
      if (listening === next) listening = undefined;
      isLost(reason);
    });
    listening = next;
    if (isDown) {
      log.info("The wake connection is back.");
      local.signal(STORE_IS_BACK);
    }
    isDown = false;
  }
  void connect();

  const look = setInterval(() => {
    const looked = listening;
    // A missing answer destroys the connection, and its end starts the next one.
    void looked?.within(answerMs, looked.query("select 1")).catch(() => undefined);
  }, lookEveryMs);
  look.unref();

  /** One notification at a time; further signals are collected and sent once per channel. */
  const pending = new Set<string>();
  let notifying = false;
  const notify = async (): Promise<void> => {
    notifying = true;
    for (const channel of pending) {
      pending.delete(channel);
      const by = listening;
      // A lost notification costs a waiter its polling interval, nothing else.
      await by?.within(answerMs, by.query("select pg_notify($1, $2)", [CHANNEL, channel])).catch(() => undefined);
    }
    notifying = false;
  };

  return {
    ...local,
    signal(channel) {
      local.signal(channel);
      pending.add(channel);
      if (!notifying) void notify();
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(look);
      await Promise.all([connecting?.leave(LEAVE_MS), listening?.leave(LEAVE_MS)]);
    },
  };
}
