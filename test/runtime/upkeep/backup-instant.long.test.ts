import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { storePath } from "../../../src/runtime/database/sqlite/store-file.ts";
import { backUp } from "../../../src/runtime/upkeep/backup.ts";
import { removeLeftCopies, removeLeftDrafts } from "../../../src/runtime/upkeep/left-copies.ts";
import { newFolder } from "../../support/folder.ts";
import { withScope } from "../../support/scope.ts";

describe("a backup of a store in use (R-X246)", () => {
  withScope((closeLater) => {
    it("gets no name that SQLite takes for a part of the store", async () => {
      const directory = newFolder("gh-instant-");
      const path = join(directory, "store.sqlite");
      const store = new BetterSqlite3(path);
      closeLater(async () => void store.close());
      store.exec("create table payments (id integer primary key)");
      symlinkSync(directory, join(directory, "link"));
      const { signal } = new AbortController();
      for (const name of ["store.sqlite-journal", "link/store.sqlite-wal"])
        await expect(backUp(path, join(directory, name), signal)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      mkdirSync(join(directory, "backups"));
      for (const name of ["store.sqlite-monday", "backups/store.sqlite-journal"])
        expect(await backUp(path, join(directory, name), signal)).toMatchObject({ tables: 1, rows: 0 });
    });

    it("gets no name of an unfinished copy, which the next start, plan, restore or backup would remove", async () => {
      const directory = newFolder("gh-instant-");
      const path = storePath(directory);
      const store = new BetterSqlite3(path);
      closeLater(async () => void store.close());
      store.exec("create table payments (id integer primary key)");
      const { signal } = new AbortController();
      mkdirSync(join(directory, "backups"));
      for (const name of [
        "gatehouse.sqlite.restoring",
        "gatehouse.sqlite.monday.planning",
        "gatehouse.sqlite.planning-wal",
        "gatehouse.store.new",
        "backups/monday.sqlite.0123456789ab.unfinished",
      ])
        await expect(backUp(path, join(directory, name), signal)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      const names = ["gatehouse.sqlite.monday", "backups/gatehouse.sqlite.restoring", "backups/monday.unfinished"];
      for (const name of names) await backUp(path, join(directory, name), signal);
      const afterTwoDays = new Date(Date.now() + 2 * 24 * 60 * 60 * 1_000);
      removeLeftCopies(directory, afterTwoDays);
      for (const folder of [directory, join(directory, "backups")]) removeLeftDrafts(folder, afterTwoDays);
      expect(names.map((name) => existsSync(join(directory, name)))).toEqual([true, true, true]);
    });

    it("has everything that was committed before the instant that it names, however long its rows are counted", async () => {
      const directory = newFolder("gh-instant-");
      const path = join(directory, "store.sqlite");
      const store = new BetterSqlite3(path);
      closeLater(async () => void store.close());
      store.pragma("journal_mode = wal");
      // Many changes while rows are counted.
      store.pragma("synchronous = off");
      store.exec(`
        create table many (number integer primary key);
        insert into many with recursive counted (number) as (
          select 1 union all select number + 1 from counted where number < 500000
        ) select number from counted;
        create table changes (number integer primary key)`);
      const change = store.prepare("insert into changes values (?)");
      /** When each change was committed, in their order. */
      const committedAt: number[] = [];
      let isDone = false;
      const backup = backUp(path, join(directory, "monday.sqlite"), new AbortController().signal).finally(() => {
        isDone = true;
      });
      while (!isDone) {
        change.run(committedAt.length + 1);
        committedAt.push(Date.now());
        await nextTurn();
      }

      const { madeAt } = await backup;

      const copy = new BetterSqlite3(join(directory, "monday.sqlite"), { readonly: true });
      closeLater(async () => void copy.close());
      const earlier = committedAt.filter((at) => at < madeAt.getTime()).length;
      expect(copy.prepare("select count(*) from changes where number <= ?").pluck().get(earlier)).toBe(earlier);
      expect(earlier).toBeGreaterThan(0);
    });
  });
});
