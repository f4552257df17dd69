import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import BetterSqlite3 from "better-sqlite3";
import { backUp } from "../../../src/runtime/upkeep/backup.ts";
import { removeLeftCopies, removeLeftDrafts } from "../../../src/runtime/upkeep/left-copies.ts";
import { newFolder } from "../../support/folder.ts";

const BACKUP = pathToFileURL(join(import.meta.dirname, "../../../src/runtime/upkeep/backup.ts")).href;
const NOW = new Date("2026-11-23T12:00:00Z");
const HOURS = 60;
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

describe("copies of a store that a killed command left", () => {
  let directory: string;

  beforeEach(() => {
    directory = newFolder("gh-copies-");
  });

  const write = (files: Readonly<Record<string, number>>) => {
    for (const [file, minutes] of Object.entries(files)) {
      writeFileSync(join(directory, file), "names and addresses");
      utimesSync(join(directory, file), minutesAgo(minutes), minutesAgo(minutes));
    }
  };
  const left = (files: Readonly<Record<string, number>>) => {
    write(files);
    removeLeftCopies(directory, NOW);
    return readdirSync(directory).sort();
  };

  it.each<[string, Readonly<Record<string, number>>, readonly string[]]>([
    ["nothing", {}, []],
    ["a restore's, however new", { "gatehouse.sqlite.restoring": 0, "gatehouse.sqlite.restoring-wal": 0 }, []],
    ["an old plan's", { "gatehouse.sqlite.planning": 90, "gatehouse.sqlite.planning-wal": 61 }, []],
    [
      "one of a plan that is under way",
      { "gatehouse.sqlite.planning": 90, "gatehouse.sqlite.planning-wal": 1 },
      ["gatehouse.sqlite.planning", "gatehouse.sqlite.planning-wal"],
    ],
    [
      "one of two plans, that alone which is under way",
      {
        "gatehouse.sqlite.a1b2c3.planning": 90,
        "gatehouse.sqlite.a1b2c3.planning-wal": 61,
        "gatehouse.sqlite.d4e5f6.planning": 90,
        "gatehouse.sqlite.d4e5f6.planning-wal": 1,
      },
      ["gatehouse.sqlite.d4e5f6.planning", "gatehouse.sqlite.d4e5f6.planning-wal"],
    ],
    [
      "none, but the store itself and a backup",
      { "gatehouse.sqlite": 900, "gatehouse.sqlite-wal": 900, "monday.sqlite": 900 },
      ["gatehouse.sqlite", "gatehouse.sqlite-wal", "monday.sqlite"],
    ],
  ])("%s", (_, files, kept) => {
    expect(left(files)).toEqual(kept);
  });

  it("those of backups alone that nothing has written for twelve hours (R-X389)", () => {
    const [old, underWay] = ["monday.sqlite.0123456789ab.unfinished", "tuesday.sqlite.ba9876543210.unfinished"];
    const others = {
      "monday.sqlite": 99 * HOURS,
      "notes.unfinished": 99 * HOURS,
      "a.0123456789ab.unfinished.txt": 99 * HOURS,
    };
    const parts = { [`${old}-journal`]: 13 * HOURS, [`${old}.sha256`]: 13 * HOURS };
    write({ ...others, ...parts, [old]: 20 * HOURS, [underWay]: 20 * HOURS, [`${underWay}-wal`]: 11 * HOURS });
    expect(removeLeftDrafts(directory, NOW)).toEqual([join(directory, old)]);
    expect(readdirSync(directory).sort()).toEqual([...Object.keys(others), underWay, `${underWay}-wal`].sort());
    expect(removeLeftDrafts(join(directory, "elsewhere"), NOW)).toEqual([]);
  });

  it("a digest without its backup: the next backup of that name says whose it may be (R-X389)", async () => {
    const store = join(directory, "store.sqlite");
    const handle = new BetterSqlite3(store);
    handle.exec("create table payments (id integer primary key)");
    handle.close();
    const monday = join(directory, "monday.sqlite");
    const program = join(directory, "killed.mjs");
    writeFileSync(
      program,
      `import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const { linkSync } = fs;
      fs.linkSync = (from, to) => {
        linkSync(from, to);
        process.kill(process.pid, "SIGKILL");
      };
      syncBuiltinESMExports();
      const { backUp } = await import(${JSON.stringify(BACKUP)});
      await backUp(${JSON.stringify(store)}, ${JSON.stringify(monday)}, new AbortController().signal);`,
    );
    expect(spawnSync(process.execPath, [program]).signal).toBe("SIGKILL");
    const { signal } = new AbortController();
    await expect(backUp(store, monday, signal)).rejects.toThrow(
      `${monday}.sha256 is there, and ${monday} is not: it belongs to a backup that was moved or removed, or was killed before it had its name.`,
    );
    rmSync(`${monday}.sha256`);
    expect(await backUp(store, monday, signal)).toMatchObject({ tables: 1 });
  });
});
