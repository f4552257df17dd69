import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { openSqlite } from "../../../../src/runtime/database/sqlite/sqlite.ts";
import {
  assertWholeStore,
  markStoreClosed,
  markStoreOpen,
  prepareStoreFile,
  removeEmptyLog,
  settleMark,
  storePath,
} from "../../../../src/runtime/database/sqlite/store-file.ts";
import { lockStore } from "../../../../src/runtime/database/sqlite/store-lock.ts";
import { newFolder } from "../../../support/folder.ts";
import { withScope } from "../../../support/scope.ts";

const MAIN = "gatehouse.sqlite";
const LOG = "gatehouse.sqlite-wal";
const MARK = "gatehouse.store";

describe("the files of the embedded store", () => {
  withScope((closeLater) => {
    /** An open, marked store with a row that is in its log alone. */
    const openMarked = async () => {
      const folder = newFolder("gh-file-");
      const isNew = prepareStoreFile(folder);
      const store = openSqlite(storePath(folder));
      closeLater(() => store.close());
      // By its ledger a store of ours is known.
      await sql`create table migration_ledger (digest text) strict`.execute(store.view());
      await sql`create table notes (text text) strict`.execute(store.view());
      markStoreOpen(folder);
      await sql`insert into notes values ('acknowledged')`.execute(store.view());
      return { folder, store, isNew };
    };

    /** The files as a crash or a careless copy leaves them. */
    const copied = (from: string, ...names: string[]) => {
      const folder = newFolder("gh-file-");
      for (const name of names) copyFileSync(join(from, name), join(folder, name));
      return folder;
    };

    const notesIn = (folder: string): unknown[] => {
      const file = new BetterSqlite3(storePath(folder));
      const notes = file.prepare("select text from notes").pluck().all();
      file.close();
      return notes;
    };

    it("of another program are refused, and not a byte of them changes (R-X348)", () => {
      const folder = newFolder("gh-file-");
      const other = new BetterSqlite3(storePath(folder));
      other.exec("create table things (number integer); pragma user_version = 7");
      other.close();
      const bytes = readFileSync(storePath(folder));
      expect(() => prepareStoreFile(folder)).toThrow(/another program made it.*left as it is/);
      expect(readFileSync(storePath(folder)).equals(bytes)).toBe(true);
      expect(readdirSync(folder)).toEqual([MAIN]);
    });

    it.each<[string, (folder: string) => void, string]>([
      ["a start", prepareStoreFile, MAIN],
      ["a plan", assertWholeStore, MAIN],
      ["a start, also where the link leads to nothing yet", prepareStoreFile, "no-file"],
    ])(
      "that are a symbolic link are refused by %s, as the log is elsewhere, and stay as they are",
      async (_, look, name) => {
        const { folder, store } = await openMarked();
        markStoreClosed(folder);
        await store.close();
        const linked = newFolder("gh-file-");
        symlinkSync(join(folder, name), join(linked, MAIN));
        expect(() => look(linked)).toThrow(
          expect.objectContaining({
            exitCode: 65,
            message: expect.stringMatching(/gatehouse\.sqlite is a symbolic link/),
          }),
        );
        expect([readdirSync(linked), readdirSync(folder).sort()]).toEqual([[MAIN], [MAIN, MARK]]);
      },
    );

    it("may be in a directory that is reached by a link", async () => {
      const { folder, store } = await openMarked();
      markStoreClosed(folder);
      await store.close();
      const link = join(newFolder("gh-file-"), "data");
      symlinkSync(folder, link);
      expect(prepareStoreFile(link)).toBe(false);
      expect(notesIn(link)).toEqual(["acknowledged"]);
    });

    const refusalOf = (folder: string, file: string) =>
      `A store was here, and ${join(folder, file)} is missing or empty. Put it back, or restore a backup. To accept the loss and continue with the remaining files, remove ${join(folder, MARK)}.`;

    it("are new in an empty directory, and no longer after a clean end", async () => {
      const { folder, store, isNew } = await openMarked();
      markStoreClosed(folder);
      await store.close();
      expect([isNew, prepareStoreFile(folder), existsSync(join(folder, LOG))]).toEqual([true, false, false]);
      expect(notesIn(folder)).toEqual(["acknowledged"]);
    });

    it("have the log copied into the main file before any write, so that no start builds on what a failed flush left", async () => {
      const { folder } = await openMarked();
      const crashed = copied(folder, MAIN, LOG, MARK);
      expect([prepareStoreFile(crashed), existsSync(join(crashed, LOG))]).toEqual([false, false]);
      expect(notesIn(crashed)).toEqual(["acknowledged"]);
    });

    it("can be opened again when the start after a crash ended before the store was open", async () => {
      const { folder } = await openMarked();
      const crashed = copied(folder, MAIN, LOG, MARK);
      prepareStoreFile(crashed);
      expect(prepareStoreFile(crashed)).toBe(false);
      expect(notesIn(crashed)).toEqual(["acknowledged"]);
    });

    it("keep a log that a crash left empty, without which a start would take the store for half a one (R-X177)", async () => {
      const { folder, store } = await openMarked();
      expect(await store.forgetOverwritten()).toBe(true);
      const crashed = copied(folder, MAIN, LOG, MARK);
      expect(statSync(join(crashed, LOG)).size).toBe(0);
      removeEmptyLog(crashed);
      expect(prepareStoreFile(crashed)).toBe(false);
      expect(notesIn(crashed)).toEqual(["acknowledged"]);
    });

    it("lose an empty log that only a reading has made", async () => {
      const { folder, store } = await openMarked();
      markStoreClosed(folder);
      await store.close();
      const reader = new BetterSqlite3(storePath(folder), { readonly: true });
      reader.prepare("select text from notes").all();
      reader.close();
      expect(existsSync(join(folder, LOG))).toBe(true);
      removeEmptyLog(folder);
      expect(existsSync(join(folder, LOG))).toBe(false);
    });

    it("are refused while another program's reading keeps the log from being copied completely", async () => {
      const { folder } = await openMarked();
      const crashed = copied(folder, MAIN, LOG, MARK);
      const reader = new BetterSqlite3(join(crashed, MAIN));
      reader.exec("begin");
      reader.prepare("select count(*) from sqlite_schema").get();
      const writer = new BetterSqlite3(join(crashed, MAIN));
      writer.exec("create table later (a)");
      writer.close();
      expect(() => prepareStoreFile(crashed)).toThrow(/^Another program has the store/);
      reader.close();
      // As the last one it has copied the log.
      rmSync(join(crashed, MARK));
      expect(prepareStoreFile(crashed)).toBe(false);
      expect(notesIn(crashed)).toEqual(["acknowledged"]);
    });

    it("are refused when the main file is a copy of one in use, without its log, where another was closed", async () => {
      const { folder } = await openMarked();
      const partial = copied(folder, MAIN);
      writeFileSync(join(partial, MARK), "closed: gatehouse.sqlite is the whole store.\n");
      expect(() => prepareStoreFile(partial)).toThrow(refusalOf(partial, LOG));
      rmSync(join(partial, MARK));
      expect(prepareStoreFile(partial)).toBe(false);
    });

    it("are accepted when they were closed, wherever they are copied to", async () => {
      const { folder, store } = await openMarked();
      markStoreClosed(folder);
      await store.close();
      const whole = copied(folder, MAIN, MARK);
      expect(prepareStoreFile(whole)).toBe(false);
      expect(notesIn(whole)).toEqual(["acknowledged"]);
    });

    it("stay marked as open while another program's reading keeps the log from being copied completely (R-X177)", async () => {
      const { folder, store } = await openMarked();
      const reader = new BetterSqlite3(storePath(folder), { readonly: true });
      reader.exec("begin");
      reader.prepare("select count(*) from notes").get();
      await sql`insert into notes values ('during the reading')`.execute(store.view());
      markStoreClosed(folder);
      await store.close();
      expect(settleMark(folder)).toBe(false);
      const crashed = copied(folder, MAIN, LOG, MARK);
      expect(readFileSync(join(crashed, MARK), "utf8")).toMatch(/^open/);
      reader.close();
      expect(prepareStoreFile(crashed)).toBe(false);
      expect(notesIn(crashed)).toEqual(["acknowledged", "during the reading"]);
    });

    it("lose the mark when the log goes with the last handle after all, and are opened", async () => {
      const { folder, store } = await openMarked();
      await store.close();
      expect(existsSync(join(folder, LOG))).toBe(false);
      expect(settleMark(folder)).toBe(true);
      expect(existsSync(join(folder, MARK))).toBe(false);
      expect(prepareStoreFile(folder)).toBe(false);
      expect(notesIn(folder)).toEqual(["acknowledged"]);
    });

    it("are refused when the log is missing after a crash", async () => {
      const { folder } = await openMarked();
      const partial = copied(folder, MAIN, MARK);
      expect(() => prepareStoreFile(partial)).toThrow(refusalOf(partial, LOG));
    });

    it.each([
      ["missing", "closed", []],
      ["missing", "open", [LOG]],
    ] as const)("are refused when the main file is %s and the mark says %s", async (_, mark, names) => {
      const { folder, store } = await openMarked();
      const partial = copied(folder, MARK, ...names);
      if (mark === "closed") markStoreClosed(partial);
      expect(() => prepareStoreFile(partial)).toThrow(refusalOf(partial, MAIN));
      await store.close();
    });

    it("are refused when the main file is empty, which SQLite would accept as a new store", async () => {
      const folder = newFolder("gh-file-");
      markStoreClosed(folder);
      openSqlite(storePath(folder)).close();
      expect(() => prepareStoreFile(folder)).toThrow(refusalOf(folder, MAIN));
    });

    it("have their tables in the main file from the first start, so that a copy of it alone is never a new store", async () => {
      const { folder } = await openMarked();
      const partial = copied(folder, MAIN);
      expect(prepareStoreFile(partial)).toBe(false);
      expect(notesIn(partial)).toEqual([]);
    });

    it("are opened as they are once the mark is removed", async () => {
      const { folder } = await openMarked();
      const partial = copied(folder, MAIN, MARK);
      rmSync(join(partial, MARK));
      expect(prepareStoreFile(partial)).toBe(false);
    });

    it("are private, the lock and the mark too", async () => {
      const { folder } = await openMarked();
      lockStore(folder).release();
      const modes = [MAIN, LOG, MARK, "gatehouse.lock"].map((name) => statSync(join(folder, name)).mode & 0o777);
      expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
    });
  });
});
