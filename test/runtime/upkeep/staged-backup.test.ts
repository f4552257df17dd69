import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { stageBackup } from "../../../src/runtime/upkeep/staged-backup.ts";
import { newFolder } from "../../support/folder.ts";

const NOBODY = 65_534;

describe("the copy that a restore makes of a backup (R-X247)", () => {
  let folder: string;
  const listeners = process.listenerCount("SIGTERM");

  beforeEach(() => {
    folder = newFolder("gh-staged-");
  });

  /** Root may write to any file, so it is another account meanwhile, which has all that is here. */
  const asOrdinaryAccount = async <T>(paths: readonly string[], work: () => Promise<T>): Promise<T> => {
    const own = process.geteuid?.();
    if (own !== 0) return work();
    for (const path of [folder, ...paths]) chownSync(path, NOBODY, NOBODY);
    process.seteuid?.(NOBODY);
    try {
      return await work();
    } finally {
      process.seteuid?.(own);
    }
  };

  const backupWithMode = (mode: number) => {
    const [backup, directory] = [join(folder, "monday.sqlite"), join(folder, "data")];
    const handle = new BetterSqlite3(backup);
    handle.exec("create table migration_ledger (owner text)");
    handle.close();
    chmodSync(backup, mode);
    mkdirSync(directory, { mode: 0o700 });
    return { backup, directory };
  };

  it.each([0o400, 0o440, 0o644])("can be written by us, whatever the backup's mode is: %o", async (mode) => {
    const { backup, directory } = backupWithMode(mode);
    const staged = await asOrdinaryAccount([backup, directory], async () => {
      const made = await stageBackup(backup, directory);
      await made.complete();
      return made;
    });
    const { path } = staged;
    expect([statSync(path).mode & 0o777, statSync(backup).mode & 0o777]).toEqual([0o600, mode]);
    staged.remove();
    expect([readdirSync(directory), process.listenerCount("SIGTERM")]).toEqual([[], listeners]);
  });

  it("is not made of a file that has a log beside it, as a copy of a store in use has", async () => {
    const { backup, directory } = backupWithMode(0o600);
    writeFileSync(`${backup}-wal`, "");
    const staged = await stageBackup(backup, directory);
    staged.remove();
    writeFileSync(`${backup}-wal`, "frames");
    await expect(stageBackup(backup, directory)).rejects.toThrow(
      /^.*monday\.sqlite was not restored: it has a log beside it, as a store in use has\. .* Nothing was changed\.$/,
    );
    expect([readdirSync(directory), process.listenerCount("SIGTERM")]).toEqual([[], listeners]);
  });

  it("is not made of a damaged store that a restore has moved away with its log", async () => {
    const directory = join(folder, "data");
    const replaced = join(directory, "replaced-20261129T120000Z");
    mkdirSync(replaced, { recursive: true, mode: 0o700 });
    for (const suffix of ["", "-wal"])
      writeFileSync(join(replaced, `gatehouse.sqlite${suffix}`), "noise".repeat(1_000));
    await expect(stageBackup(join(replaced, "gatehouse.sqlite"), directory)).rejects.toThrow(
      /^.*gatehouse\.sqlite was not restored: it is damaged \(file is not a database\)\. .* Nothing was changed\.$/,
    );
    expect([readdirSync(directory), process.listenerCount("SIGTERM")]).toEqual([[basename(replaced)], listeners]);
  });

  it("is not made of a backup that may not be read: it is the backup that the refusal is about", async () => {
    const { backup, directory } = backupWithMode(0o000);
    const staging = asOrdinaryAccount([backup, directory], () => stageBackup(backup, directory));
    await expect(staging).rejects.toThrow(
      /^.*monday\.sqlite was not restored: this account may not read it\. Run .* Nothing was changed\.$/,
    );
    expect([readdirSync(directory), process.listenerCount("SIGTERM")]).toEqual([[], listeners]);
  });
});
