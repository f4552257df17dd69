import { type ExecFileException, execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isUnfinishedCopy } from "../../../src/runtime/database/migrations.ts";
import { openPostgres } from "../../../src/runtime/database/postgres/postgres.ts";
import { makeFixtures } from "../../faults/disk/fixtures.ts";
import { eventually } from "../../support/eventually.ts";
import { onPostgres } from "../../support/stores.ts";
import { migrationsLocked, someoneWaits, unlockMigrations } from "./migrations-lock.ts";

const MAIN = join(import.meta.dirname, "..", "..", "..", "src", "main.ts");

onPostgres((open, closeLater) => {
  it("store copy: refuses a target that a program has opened since it was looked at, and leaves it to that program (R-X253)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gh-copy-"));
    closeLater(async () => rmSync(folder, { recursive: true }));
    await makeFixtures(folder);
    const { location, store, wake } = await open();
    await wake.close();
    await store.close();
    const words = ["store", "copy", "--to", location, `--data-directory=${join(folder, "present")}`];
    const copy = () =>
      promisify(execFile)(process.execPath, [MAIN, ...words]).then(
        () => "copied",
        ({ stderr }: ExecFileException & { readonly stderr: string }) => stderr,
      );
    // Another start that migrates: the command has looked at the target, and waits.
    const other = await migrationsLocked(location, closeLater);
    const said = copy();
    await someoneWaits(other);
    const program = await openPostgres(location, { connections: 1 });
    await unlockMigrations(other);

    expect(await said).toContain("Another Gatehouse has opened the target meanwhile.");
    expect(await isUnfinishedCopy(program)).toBe(false);
    expect((await other.query("select 1 from audit_entries")).rowCount).toBe(0);
    await program.close();
    // The server shows a connection for a moment longer.
    expect(await eventually(copy, (one) => one === "copied", 60_000)).toBe("copied");
  });
});
