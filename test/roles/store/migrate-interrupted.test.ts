import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { openPostgres } from "../../../src/runtime/database/postgres/postgres.ts";
import { MAIN } from "../../support/processes.ts";
import { onPostgres } from "../../support/stores.ts";
import { migrationsLocked, someoneWaits } from "./migrations-lock.ts";

onPostgres((open, closeLater) => {
  it.each<NodeJS.Signals>(["SIGINT", "SIGTERM"])(
    "store migrate: says on %s that no step is half done, and how to go on (R-X252)",
    async (signal) => {
      const { location, store, wake } = await open();
      await sql`delete from migration_ledger where owner = 'webhooks'`.execute(store.view());
      await wake.close();
      await store.close();
      const other = await migrationsLocked(location, closeLater);
      const running = spawn(process.execPath, [MAIN, "store", "migrate", "--store-url", location], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [ended, said] = [once(running, "exit"), text(running.stderr)];
      await someoneWaits(other);
      running.kill(signal);
      expect([await said, await ended]).toEqual([
        "gatehouse: Interrupted. A step that was under way is undone; the same command goes on.\n",
        [null, signal],
      ]);
      const after = await openPostgres(location, { connections: 1 });
      const { rows } = await sql`select 1 from migration_ledger where owner = 'webhooks'`.execute(after.view());
      await after.close();
      expect(rows).toEqual([]);
    },
  );
});
