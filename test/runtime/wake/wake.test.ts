import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { postgresWake } from "../../../src/runtime/wake/postgres-wake.ts";
import { createWake, type Wake } from "../../../src/runtime/wake/wake.ts";
import { eventually } from "../../support/eventually.ts";
import { openFaultProxy } from "../../support/fault-proxy.ts";
import { silentLog } from "../../support/silent-log.ts";
import { onPostgres } from "../../support/stores.ts";

const never = new AbortController().signal;
const LONG_MS = 20_000;

/** Which of the two ended first. */
const first = (waiting: Promise<void>, other: Promise<void>) =>
  Promise.race([waiting.then(() => "woken"), other.then(() => "still waiting")]);
/** Within a process a signal arrives in the same turn. */
const soon = () => nextTurn();

describe("wake within a process", () => {
  let wake: Wake;

  beforeEach(() => {
    wake = createWake();
  });

  it("wakes every waiter on the channel, and no other", async () => {
    const waiting = [1, 2].map(() => wake.after("outbox", wake.ticket("outbox"), LONG_MS, never));
    const elsewhere = wake.after("deliveries", wake.ticket("deliveries"), LONG_MS, never);
    wake.signal("outbox");
    for (const one of waiting) await expect(first(one, soon())).resolves.toBe("woken");
    await expect(first(elsewhere, soon())).resolves.toBe("still waiting");
    wake.signal("deliveries");
    await expect(first(elsewhere, soon())).resolves.toBe("woken");
  });

  it("does not miss a signal between taking the ticket and waiting", async () => {
    const ticket = wake.ticket("outbox");
    wake.signal("outbox");
    await expect(first(wake.after("outbox", ticket, LONG_MS, never), soon())).resolves.toBe("woken");
  });

  it("waits again after a signal that the ticket has seen", async () => {
    wake.signal("outbox");
    const waiting = wake.after("outbox", wake.ticket("outbox"), LONG_MS, never);
    await expect(first(waiting, soon())).resolves.toBe("still waiting");
    wake.signal("outbox");
    await expect(first(waiting, soon())).resolves.toBe("woken");
  });

  it("returns when the time has passed", async () => {
    await expect(wake.after("outbox", wake.ticket("outbox"), 5, never)).resolves.toBeUndefined();
  });

  it("returns when the waiter is aborted, before or while it waits", async () => {
    const ending = new AbortController();
    const waiting = wake.after("outbox", wake.ticket("outbox"), LONG_MS, ending.signal);
    ending.abort();
    await expect(first(waiting, soon())).resolves.toBe("woken");
    const again = wake.after("outbox", wake.ticket("outbox"), LONG_MS, ending.signal);
    await expect(first(again, soon())).resolves.toBe("woken");
  });
});

const socketOf = (location: string): string => `${decodeURIComponent(new URL(location).hostname)}/.s.PGSQL.5432`;

onPostgres((open, closeLater) => {
  /**
   * Signals until the other process hears it, and its waiter wakes: a notification before the other side listens is lost, as
   * it may be. A waiter whose time has passed has not heard it.
   */
  const signalUntilHeard = async (signalling: Wake, listening: Wake) => {
    const ticket = listening.ticket("outbox");
    let isOver = false;
    const waiting = listening.after("outbox", ticket, LONG_MS, never).then(() => {
      isOver = true;
    });
    while (!isOver) {
      signalling.signal("outbox");
      await soon();
    }
    await waiting;
    expect(listening.ticket("outbox")).toBeGreaterThan(ticket);
  };

  it("wakes a waiter in another process", async () => {
    const { wake, again } = await open();
    const other = await again();
    await signalUntilHeard(wake, other.wake);
    expect(other.wake.ticket("deliveries")).toBe(0);
  });

  it("hears nothing of its own signals from the server", async () => {
    const { wake, again } = await open();
    const other = await again();
    await signalUntilHeard(wake, other.wake);
    const there = other.wake.after("deliveries", other.wake.ticket("deliveries"), LONG_MS, never);
    wake.signal("deliveries");
    await there;
    expect(other.wake.ticket("deliveries")).toBe(1);
    // Notifications arrive in the order of their commits: ours would be before one of the other's.
    await signalUntilHeard(other.wake, wake);
    expect(wake.ticket("deliveries")).toBe(1);
  });

  it("wakes waiters of its own process without the server", async () => {
    const lonely = postgresWake("postgresql://gatehouse@127.0.0.1:1/none", silentLog);
    const waiting = lonely.after("outbox", lonely.ticket("outbox"), LONG_MS, never);
    lonely.signal("outbox");
    await expect(first(waiting, soon())).resolves.toBe("woken");
    await expect(lonely.close()).resolves.toBeUndefined();
  });

  it("listens again after the server ended its connection", async () => {
    const { wake, store, again } = await open();
    const other = await again();
    await signalUntilHeard(wake, other.wake);
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'gatehouse wake' and datname = current_database()`.execute(store.view());
    expect(rows).toHaveLength(2);
    await signalUntilHeard(wake, other.wake);
  });

  it("announces many signals at once by few notifications, and covers every channel", async () => {
    const { wake, again } = await open();
    const other = await again();
    await signalUntilHeard(wake, other.wake);
    const before = other.wake.ticket("outbox");
    const waiting = ["outbox", "deliveries"].map((one) =>
      other.wake.after(one, other.wake.ticket(one), LONG_MS, never),
    );
    for (let count = 0; count < 100; count++) wake.signal("outbox");
    wake.signal("deliveries");
    await Promise.all(waiting);
    expect(other.wake.ticket("deliveries")).toBe(1);
    const heard = other.wake.ticket("outbox") - before;
    expect(heard).toBeGreaterThan(0);
    expect(heard).toBeLessThan(10);
  });

  it("replaces a connection that has gone silent, and listens again (R-X184)", async () => {
    const { wake, location } = await open();
    const proxy = await openFaultProxy(closeLater, { target: { path: socketOf(location) } });
    const proxied = new URL(location);
    proxied.host = `127.0.0.1:${proxy.port}`;
    const other = postgresWake(proxied.href, silentLog, { lookEveryMs: 50, answerMs: 100 });
    closeLater(() => other.close());
    await signalUntilHeard(wake, other);
    proxy.silence({ of: "existing" });
    await signalUntilHeard(wake, other);
    expect(proxy.connections()).toBeGreaterThan(0);
  });

  it("closes at once while a server is silent", async () => {
    const { wake, location } = await open();
    const proxy = await openFaultProxy(closeLater, { target: { path: socketOf(location) } });
    const proxied = new URL(location);
    proxied.host = `127.0.0.1:${proxy.port}`;
    const other = postgresWake(proxied.href, silentLog);
    await signalUntilHeard(wake, other);
    proxy.silence();
    await expect(other.close()).resolves.toBeUndefined();
  });

  it("leaves no connection behind when it is closed while it connects", async () => {
    const { location, store } = await open();
    const wakes = Array.from({ length: 5 }, () => postgresWake(location, silentLog));
    await Promise.all(wakes.map((one) => one.close()));
    // Long enough for the new connection to be complete.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const connections = async () => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
        where application_name = 'gatehouse wake' and datname = current_database()`.execute(store.view());
      return Number(rows[0]?.count);
    };
    // One belongs to the store of the test. The server shows a connection for a moment after its end.
    expect(await eventually(connections, (count) => count <= 1)).toBeLessThanOrEqual(1);
  });
});
