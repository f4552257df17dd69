import { execFile } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { newStoreFolder } from "../support/memory.ts";
import { MAIN } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { unpackStore } from "./store-of-before.ts";

const BLOCK = 512;

describe("gatehouse store migrate where the main file cannot grow (R-X177)", () => {
  withScope((closeLater) => {
    /** A store of an earlier program, and the command that migrates it behind a limit of the shell. */
    async function unpacked() {
      const folder = await newStoreFolder("gh-little-");
      closeLater(() => rm(folder, { recursive: true, force: true }));
      const directory = join(folder, "data");
      await unpackStore("store-1", directory);
      const migrate = (before: string) =>
        promisify(execFile)("/bin/sh", [
          ...["-c", `${before}; exec "$0" "$@"`],
          ...[process.execPath, MAIN, "store", "migrate", "--data-directory", directory],
        ]);
      return { folder, directory, migrate };
    }

    it("marks the store as closed only once the log is copied, and says so", async () => {
      const { folder, directory, migrate } = await unpacked();
      const path = join(directory, "gatehouse.sqlite");
      const stepsOf = (file: string) => {
        const handle = new BetterSqlite3(file, { readonly: true });
        const found = handle.pragma("integrity_check", { simple: true });
        const steps = handle.prepare("select count(*) from migration_ledger").pluck().get();
        handle.close();
        return [found, steps];
      };
      const mark = () => readFileSync(join(directory, "gatehouse.store"), "utf8").split(":")[0];
      // The log has room below this limit of each file; the main file has none for new tables.
      const { stdout } = await migrate(`trap '' XFSZ; ulimit -f ${Math.ceil(statSync(path).size / BLOCK)}`);
      expect(stdout).toMatch(/^migrated +\d+ steps$/m);
      expect(stdout).toMatch(/^log +.* gatehouse\.sqlite-wal belongs to the store/m);
      expect([mark(), existsSync(`${path}-wal`)]).toEqual(["open", true]);

      const again = await migrate("true");
      expect(again.stdout).not.toMatch(/^log/m);
      expect(again.stdout).toContain("nothing to do");
      expect([mark(), existsSync(`${path}-wal`)]).toEqual(["closed", false]);
      const alone = join(folder, "alone.sqlite");
      copyFileSync(path, alone);
      expect(stepsOf(alone)).toEqual(["ok", expect.any(Number)]);
    });

    it("says what to do where the log cannot grow either, and takes the steps once there is space", async () => {
      const { migrate } = await unpacked();
      await expect(migrate(`trap '' XFSZ; ulimit -f ${(64 * 1024) / BLOCK}`)).rejects.toMatchObject({
        code: 1,
        stdout: "",
        stderr:
          "gatehouse: The store cannot be brought to this program's level: disk: reading, writing or flushing fails. Mend or replace the disk; the system's log says more. Then start again.\n",
      });
      expect((await migrate("true")).stdout).toMatch(/^migrated +\d+ steps$/m);
    });
  });
});
