import { appendFileSync } from "node:fs";
import type { KyselyPlugin } from "kysely";
import { isInsideChange } from "../../src/runtime/basis/inside-change.ts";
import type { Database, Store } from "../../src/runtime/database/database.ts";
import { openPostgres } from "../../src/runtime/database/postgres/postgres.ts";
import { openSqlite } from "../../src/runtime/database/sqlite/sqlite.ts";
import { createWake } from "../../src/runtime/wake/wake.ts";
import { standingClock } from "../support/clock.ts";
import type { TestStore } from "../support/stores.ts";
import { webhooksKit } from "./webhooks-kit.ts";

/** What a process of `killed.test.ts` is given as its only argument, in JSON. */
export interface Killed {
  readonly location: string;
  /** Kills itself after so many statements of changes, so between any two steps of a transaction, or before its commit. */
  readonly afterStatements: number;
  /** Of its clock. */
  readonly now: number;
  /** A file to which each POST adds a line; absent: it relays and does nothing else. */
  readonly posts?: string;
}

/** The store with a plugin that ends this process as a power switch would, as far as a process can. */
function killing(store: Store, afterStatements: number): Store {
  let left = afterStatements;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isInsideChange() && --left === 0) process.kill(process.pid, "SIGKILL");
      return result;
    },
  };
  return { ...store, view: <T>() => store.view<T>().withPlugin(plugin) as Database<T> };
}

async function live({ location, afterStatements, now, posts }: Killed): Promise<void> {
  const opened = location.startsWith("postgres")
    ? await openPostgres(location, { connections: 3 })
    : openSqlite(location);
  const again = () => Promise.reject(new Error("A process that is killed opens its store once."));
  const store: TestStore = {
    store: killing(opened, afterStatements),
    wake: createWake(),
    location,
    again,
    racers: again,
  };
  const clock = standingClock();
  clock.set(new Date(now));
  const kit = webhooksKit(store, { clock });
  await kit.relay();
  if (posts !== undefined) {
    for (const claimed of await kit.claim()) {
      appendFileSync(posts, `${claimed.eventId}\n`);
      await kit.record(claimed);
    }
  }
  await opened.close();
}

await live(JSON.parse(process.argv[2] ?? "") as Killed);
