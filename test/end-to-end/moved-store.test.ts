import { sql } from "kysely";
import { openPostgres } from "../../src/runtime/database/postgres.ts";
import { startGatehouse } from "../support/gatehouse.ts";
import { onPostgres } from "../support/stores.ts";
import { makeWorld } from "../support/world.ts";

onPostgres((open) => {
  it("a start refuses a store that was moved without its sequences (R-X247)", async () => {
    const { location, store, wake } = await open();
    await wake.close();
    await store.close();
    const before = await startGatehouse({ storeUrl: location });
    await makeWorld(before);
    await before.stop();
    const moved = await openPostgres(location, { connections: 1 });
    await sql`
      select setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false) from pg_sequences
      where schemaname = current_schema()`.execute(moved.view());
    await moved.close();
    const started = startGatehouse({ storeUrl: location }).then((again) => again.stop());
    await expect(started).rejects.toThrow("was moved without its sequences");
  }, 60_000);
});
