import pg from "pg";
import type { Log } from "../basis/log.ts";
import { createWake, type Wake } from "./wake.ts";

const CHANNEL = "gatehouse_wake";
const RECONNECT_MS = 1_000;

/**
 * Wakes across the processes that share a PostgreSQL store, by LISTEN and NOTIFY on a connection of its own. While that connection is
 * down, waiters fall back on looking by themselves.
 */
export function postgresWake(url: string, log: Log): Wake {
  const local = createWake();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, application_name: "gatehouse wake", keepAlive: true });
    const lost = (error?: Error) => {
      if (client === next) client = undefined;
      next.removeAllListeners("end");
      if (closed) return;
      log.warn("The wake connection was lost; loops look by themselves until it is back.", { error });
      clearTimeout(retry);
      retry = setTimeout(() => {
        connecting = connect();
      }, RECONNECT_MS);
    };
    next.on("error", lost);
    next.on("end", () => lost());
    next.on("notification", ({ payload }) => {
      if (payload !== undefined) local.signal(payload);
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      client = next;
    } catch (error) {
      // It may have connected before LISTEN failed.
      await next.end().catch(() => undefined);
      lost(error as Error);
    }
  };
  let connecting = connect();

  /** One notification at a time; what is signalled meanwhile goes out once per channel. */
  const pending = new Set<string>();
  let notifying = false;
  const notify = async (): Promise<void> => {
    notifying = true;
    for (const channel of pending) {
      pending.delete(channel);
      // A lost notification costs a waiter its polling interval, nothing else.
      await client?.query("select pg_notify($1, $2)", [CHANNEL, channel]).catch(() => undefined);
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
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}
