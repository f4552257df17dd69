import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { sql } from "kysely";
import { openPostgres } from "../../src/runtime/database/postgres/postgres.ts";
import { startGatehouse, TEST_MASTER_KEY } from "../support/gatehouse.ts";
import { MAIN } from "../support/processes.ts";
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
    await expect(started).rejects.toMatchObject({
      exitCode: 65,
      message: expect.stringContaining("was moved without its sequences"),
    });
  });

  it("“store restored” refuses a database without a store, and makes no table in it (R-X247)", async () => {
    const { location, store, wake } = await open();
    await wake.close();
    await sql`drop schema public cascade`.execute(store.view());
    await sql`create schema public`.execute(store.view());
    await store.close();
    const words = ["store", "restored", "--store-url", location, "--master-keys", TEST_MASTER_KEY];
    const command = promisify(execFile)(process.execPath, [MAIN, ...words]);
    await expect(command).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^gatehouse: There is no store of Gatehouse in this database\..* Nothing was changed\.\n$/,
      ),
    });
    const after = await openPostgres(location, { connections: 1 });
    const { rows } = await sql`select 1 from pg_tables where schemaname = 'public'`.execute(after.view());
    await after.close();
    expect(rows).toEqual([]);
  });
});
