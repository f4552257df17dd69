import { type ExecFileException, execFile } from "node:child_process";
import { promisify } from "node:util";
import { sql } from "kysely";
import { openPostgres } from "../../../src/runtime/database/postgres/postgres.ts";
import { eventually } from "../../support/eventually.ts";
import { TEST_MASTER_KEY } from "../../support/gatehouse.ts";
import { MAIN } from "../../support/processes.ts";
import { onPostgres } from "../../support/stores.ts";
import { migrationsLocked, someoneWaits, unlockMigrations } from "./migrations-lock.ts";

onPostgres((open, closeLater) => {
  it("store restored: refuses a store that a program has opened while another start migrated it (R-X247)", async () => {
    const { location, store, wake } = await open();
    await wake.close();
    await store.close();
    const words = ["store", "restored", "--store-url", location, "--master-keys", TEST_MASTER_KEY];
    const restored = () =>
      promisify(execFile)(process.execPath, [MAIN, ...words]).then(
        () => "restored",
        ({ stderr }: ExecFileException & { readonly stderr: string }) => stderr,
      );
    const other = await migrationsLocked(location, closeLater);
    const said = restored();
    await someoneWaits(other);
    const program = await openPostgres(location, { connections: 1 });
    await unlockMigrations(other);

    expect(await said).toContain("Another Gatehouse has the store open.");
    const { rows } = await sql`select 1 from audit_entries`.execute(program.view());
    expect(rows).toEqual([]);
    await program.close();
    // The server shows a connection for a moment longer.
    expect(await eventually(restored, (one) => one === "restored", 60_000)).toBe("restored");
  });
});
