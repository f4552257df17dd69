import { type ExecFileException, execFile } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { isUnfinishedCopy } from "../../../src/runtime/database/migrations.ts";
import { openPostgres } from "../../../src/runtime/database/postgres/postgres.ts";
import { makeFixtures } from "../../faults/disk/fixtures.ts";
import { eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";
import { MAIN } from "../../support/processes.ts";
import { onPostgres } from "../../support/stores.ts";
import { migrationsLocked, someoneWaits, unlockMigrations } from "./migrations-lock.ts";

onPostgres((open, closeLater) => {
  async function copying() {
    const folder = newFolder("gh-copy-");
    await makeFixtures(folder);
    const { location, store, wake } = await open();
    await wake.close();
    await store.close();
    const copy = (directory = join(folder, "present")) =>
      promisify(execFile)(process.execPath, [
        ...[MAIN, "store", "copy", "--to", location, `--data-directory=${directory}`],
      ]).then(
        () => "copied",
        ({ stderr }: ExecFileException & { readonly stderr: string }) => stderr,
      );
    return { folder, location, copy };
  }

  it("store copy: refuses a target that a program has opened since it was looked at, and leaves it to that program (R-X253)", async () => {
    const { location, copy } = await copying();
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

  it("store copy: refuses a backup that was put in place by hand, as a start does (R-X246)", async () => {
    const { folder, location, copy } = await copying();
    const directory = join(folder, "by-hand");
    mkdirSync(directory, { mode: 0o700 });
    copyFileSync(join(folder, "present", "master.key"), join(directory, "master.key"));
    copyFileSync(join(folder, "backup.sqlite"), join(directory, "gatehouse.sqlite"));
    expect(await copy(directory)).toContain("is a backup that was put in place by hand");
    const target = await openPostgres(location, { connections: 1 });
    expect(await isUnfinishedCopy(target)).toBe(false);
    await target.close();
  });
});
