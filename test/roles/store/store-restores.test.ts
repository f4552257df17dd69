import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import BetterSqlite3 from "better-sqlite3";
import { migrations } from "../../../src/roles/owners.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { openSqlite } from "../../../src/runtime/database/sqlite/sqlite.ts";
import { storePath } from "../../../src/runtime/database/sqlite/store-file.ts";
import { eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";
import { TEST_MASTER_KEY } from "../../support/gatehouse.ts";
import { slowToCheck } from "../../support/slow-check.ts";

describe("gatehouse store restore, ended by a signal", () => {
  let folder: string;
  let directory: string;
  let backup: string;

  beforeEach(async () => {
    folder = newFolder("gh-restores-");
    directory = join(folder, "data");
    backup = join(folder, "backup.sqlite");
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(join(directory, "master.key"), TEST_MASTER_KEY, { mode: 0o600 });
    const store = openSqlite(storePath(directory));
    await migrate(store, migrations.slice(0, 1), new Date(0));
    await store.close();
    copyFileSync(storePath(directory), backup);
    slowToCheck(backup);
    const handle = new BetterSqlite3(backup);
    handle.pragma("journal_mode = delete");
    handle.close();
  });

  const names = () => readdirSync(directory).toSorted();

  it.each<NodeJS.Signals>(["SIGINT", "SIGTERM", "SIGHUP"])(
    "removes its copy on %s, says so, and leaves the store as it was (R-X247)",
    async (signal) => {
      const before = { names: names(), store: readFileSync(storePath(directory)), backup: readFileSync(backup) };
      const words = ["store", "restore", backup, `--data-directory=${directory}`];
      const running = spawn(process.execPath, ["src/main.ts", ...words], { stdio: ["ignore", "pipe", "pipe"] });
      const said = Promise.all([text(running.stdout), text(running.stderr)]);
      const ended = once(running, "exit");
      await eventually(
        async () => names(),
        (present) => present.includes("gatehouse.sqlite.restoring"),
      );
      running.kill(signal);
      // A shell sees 128 and the signal's number: 130 after Ctrl-C, 143 after SIGTERM.
      expect(await ended).toEqual([null, signal]);
      expect(await said).toEqual([
        "",
        "gatehouse: Interrupted. Nothing was changed, and the copy that was begun is removed.\n",
      ]);
      expect(names()).toEqual([...before.names, "gatehouse.lock"].toSorted());
      expect(readFileSync(storePath(directory)).equals(before.store)).toBe(true);
      expect(readFileSync(backup).equals(before.backup)).toBe(true);
    },
    // Far below the time that the check takes.
    90_000,
  );
});
