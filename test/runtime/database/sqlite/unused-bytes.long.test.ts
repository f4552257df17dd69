import fs, { closeSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import fc from "fast-check";
import { sql } from "kysely";
import { openSqlite } from "../../../../src/runtime/database/sqlite/sqlite.ts";
import { zeroUnusedBytes } from "../../../../src/runtime/database/sqlite/unused-bytes.ts";
import { backUp } from "../../../../src/runtime/upkeep/backup.ts";
import { newFolder } from "../../../support/folder.ts";

/** How often the mark is in the files of a folder, in either spelling. */
const foundIn = (folder: string): number =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file)).toString("latin1"))
    .reduce((sum, text) => sum + (text.match(/zyxw/gi)?.length ?? 0), 0);

describe("what was overwritten leaves the embedded store's files (decision 0081)", () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = newFolder("gh-unused-");
    path = join(folder, "gatehouse.sqlite");
  });

  /** Numbers from 0 in an order that is the same each time and has no order. */
  const shuffled = (count: number): readonly number[] =>
    Array.from({ length: count }, (_, index) => index).toSorted(
      (one, other) => ((one * 7919) % 104_729) - ((other * 7919) % 104_729),
    );

  /** A store whose rows have moved a lot, and have the mark no longer. */
  async function storeOfErased() {
    const store = openSqlite(path);
    const db = store.view();
    await sql`create table people (id text primary key, name text not null) strict`.execute(db);
    await sql`create index people_by_name on people (lower(name))`.execute(db);
    const people = shuffled(4_000);
    const each = (write: (person: number) => ReturnType<typeof sql>) =>
      db.transaction().execute(async (tx) => {
        for (const person of people) await write(person).execute(tx);
      });
    const rename = (nameOf: (person: number) => string) =>
      each((person) => sql`update people set name = ${nameOf(person)} where id = ${`id${person}`}`);
    await each((person) => sql`insert into people values (${`id${person}`}, ${`Zyxw ${(person * 31) % 4_000}`})`);
    await rename((person) => `${"Zyxw".repeat(person % 7)} ${person}`);
    await rename((person) => `Erased ${person}`);
    // Both handles have pages in memory.
    await sql`select count(*) from people where lower(name) > 'a'`.execute(db);
    const log = new BetterSqlite3(path);
    log.pragma("wal_checkpoint(truncate)");
    log.close();
    return { store, rename };
  }

  it("has it in no page after many rows have moved, nor after later writes", async () => {
    const { store, rename } = await storeOfErased();
    const leftBySqlite = foundIn(folder);
    expect(await store.forgetOverwritten()).toBe(true);
    const left = foundIn(folder);
    await rename((person) => `Erased again ${person}`);
    const leftLater = foundIn(folder);
    await store.close();

    expect(leftBySqlite).toBeGreaterThan(0);
    expect([left, leftLater, foundIn(folder)]).toEqual([0, 0, 0]);
    const checked = new BetterSqlite3(path);
    expect(checked.pragma("integrity_check", { simple: true })).toBe("ok");
    const count = checked.prepare("select count(*) from people where lower(name) like 'erased again %'").pluck().get();
    checked.close();
    expect(count).toBe(4_000);
  });

  it("says that a flush failed, which ends the program (decision 0039)", async () => {
    const { store } = await storeOfErased();
    await store.close();
    const file = openSync(path, "r+");
    jest.spyOn(fs, "fdatasyncSync").mockImplementationOnce(() => {
      throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    });
    // Once more it would find zeros, which the disk does not have.
    expect(() => zeroUnusedBytes(file, 1, 4_000)).toThrow(expect.objectContaining({ code: "SQLITE_IOERR_FSYNC" }));
    closeSync(file);
  });

  it("has it in no backup, even before the store has forgotten it", async () => {
    const { store } = await storeOfErased();
    const backups = newFolder("gh-unused-");
    try {
      await backUp(path, join(backups, "backup.sqlite"), new AbortController().signal);
      expect([foundIn(folder) > 0, foundIn(backups)]).toEqual([true, 0]);
    } finally {
      await store.close();
    }
  });

  it("changes no row of any file, whatever was done to it", () => {
    const step = fc.record({
      kind: fc.constantFrom("insert", "update", "delete"),
      key: fc.integer({ min: 0, max: 200 }),
      text: fc.string({ unit: "grapheme", maxLength: 300, size: "max" }),
      times: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(512, 4_096, 65_536),
        fc.array(step, { minLength: 20, maxLength: 120, size: "max" }),
        (size, steps) => {
          const file = join(folder, `${size}.sqlite`);
          rmSync(file, { force: true });
          const db = new BetterSqlite3(file);
          db.pragma("synchronous = off");
          db.pragma(`page_size = ${size}`);
          db.exec(
            "create table rows (key integer primary key, text text); create index by_text on rows (text); create table pairs (a text, b text, primary key (a, b)) without rowid",
          );
          for (const { kind, key, text, times } of steps) {
            if (kind === "insert") db.prepare("insert or ignore into rows values (?, ?)").run(key, text.repeat(times));
            if (kind === "update")
              db.prepare("update rows set text = ? where key % 5 = ?").run(text.repeat(times), key % 5);
            if (kind === "delete") db.prepare("delete from rows where key % 7 = ?").run(key % 7);
            db.prepare("insert or ignore into pairs values (?, ?)").run(text, String(key));
          }
          const content = (one: BetterSqlite3.Database) => [
            one.prepare("select * from rows order by key").all(),
            one.prepare("select key from rows order by text, key").all(),
            one.prepare("select * from pairs").all(),
          ];
          const before = content(db);
          db.close();

          const opened = openSync(file, "r+");
          for (let page = 1; zeroUnusedBytes(opened, page, 3); page += 3);
          closeSync(opened);

          const after = new BetterSqlite3(file);
          const [checked, rows] = [after.pragma("integrity_check", { simple: true }), content(after)];
          after.close();
          expect(checked).toBe("ok");
          expect(rows).toEqual(before);
        },
      ),
      { numRuns: 40 },
    );
  });
});
