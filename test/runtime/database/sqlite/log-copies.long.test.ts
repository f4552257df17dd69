import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import BetterSqlite3 from "better-sqlite3";
import { Kysely, sql } from "kysely";
import type { LogState } from "../../../../src/runtime/database/sqlite/checkpoint.ts";
import { type DiskThread, diskThread } from "../../../../src/runtime/database/sqlite/disk-thread.ts";
import { SqliteDialect } from "../../../../src/runtime/database/sqlite/sqlite-driver.ts";
import { createStoreHealth, type StoreHealth } from "../../../../src/runtime/database/store-health.ts";
import { flushFailure } from "../../../../src/runtime/database/store-trouble.ts";
import { eventually } from "../../../support/eventually.ts";
import { newFolder } from "../../../support/folder.ts";
import { describeWith } from "../../../support/optional-part.ts";
import { present } from "../../../support/world.ts";
import { followed, turn } from "./payments-store.ts";

interface Tables {
  payments: { readonly id: number; readonly note: string };
}

const SUPPORT = join(import.meta.dirname, "..", "..", "..", "support");
const PAGE_BYTES = 4_096;
/** Of about 11 pages. */
const LARGE = "x".repeat(40_000);
const someTurns = async () => {
  for (let count = 0; count < 10; count++) await turn();
};

/** A thread whose passes end when the test lets them. */
class ScriptedThread implements DiskThread {
  isOpen = false;
  hasEnded = false;
  readonly passes: PromiseWithResolvers<LogState | undefined>[] = [];

  async open() {
    this.isOpen = true;
  }

  copyLog() {
    const pass = Promise.withResolvers<LogState | undefined>();
    this.passes.push(pass);
    return pass.promise;
  }

  async clear() {
    return "done" as const;
  }

  async end() {
    await Promise.allSettled(this.passes.map(({ promise }) => promise));
    this.hasEnded = true;
  }

  /** Of the pass that is under way. */
  async answer(pages: number, copied: number) {
    this.passes.at(-1)?.resolve({ pages, copied });
    await someTurns();
  }

  async fail(error: Error) {
    this.passes.at(-1)?.reject(error);
    await someTurns();
  }
}

describe("a long log (decision 0076)", () => {
  let folder: string;
  let path: string;
  let writer: BetterSqlite3.Database;
  let dialect: SqliteDialect;
  let db: Kysely<Tables>;
  let health: StoreHealth;
  const flushFailures: unknown[] = [];

  const openHandle = (options: BetterSqlite3.Options = {}) => {
    const handle = new BetterSqlite3(path, { timeout: 0, ...options });
    handle.pragma("journal_mode = wal");
    handle.pragma("synchronous = normal");
    handle.pragma("wal_autocheckpoint = 0");
    return handle;
  };

  beforeEach(() => {
    folder = newFolder("gh-log-");
    path = join(folder, "log.db");
    writer = openHandle();
    writer.exec("create table payments (id integer primary key, note text not null) strict");
    health = createStoreHealth();
    flushFailures.length = 0;
  });

  afterEach(async () => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    await db.destroy();
  });

  /** Flushes end at once. */
  const openWith = (thread: DiskThread) => {
    dialect = new SqliteDialect({
      reader: openHandle({ readonly: true }),
      writer,
      health,
      log: { flush: (ended) => void setImmediate(ended), close: () => undefined },
      diskThread: thread,
      onFlushFailed: (error) => void flushFailures.push(error),
    });
    db = new Kysely<Tables>({ dialect });
  };

  const pay = (id: number, note = "") => db.insertInto("payments").values({ id, note }).execute();
  const paid = async () => (await db.selectFrom("payments").select("id").orderBy("id").execute()).length;
  /** Until the log has become so long that it is to be copied. */
  const payMany = async (first: number, count = 410) => {
    for (let id = first; id < first + count; id++) await pay(id, LARGE);
    await someTurns();
  };
  const logPages = () => statSync(`${path}-wal`).size / PAGE_BYTES;
  const pagesInUse = () => {
    const [state] = writer.pragma("wal_checkpoint(noop)") as readonly { readonly log: number }[];
    return state?.log;
  };
  const copiedPages = () => {
    const [state] = writer.pragma("wal_checkpoint(noop)") as readonly { readonly checkpointed: number }[];
    return state?.checkpointed;
  };

  describe("is copied in passes", () => {
    let thread: ScriptedThread;
    beforeEach(async () => {
      thread = new ScriptedThread();
      openWith(thread);
      await payMany(1);
    });
    afterEach(async () => {
      thread.passes.at(-1)?.resolve(undefined);
    });

    it("beside changes and reads", async () => {
      expect(thread.passes.length).toBe(1);
      await pay(1_000);
      expect([await paid(), thread.passes.length]).toEqual([411, 1]);
    });

    it("until little is left, for which changes wait and reads do not", async () => {
      await thread.answer(4_600, 4_399);
      expect(thread.passes.length).toBe(2);
      await pay(1_000);
      await thread.answer(4_700, 4_500);
      expect(thread.passes.length).toBe(3);
      const members = [1_001, 1_002].map((id) => followed(pay(id)));
      await someTurns();
      expect([members.map(({ is }) => is), await paid()]).toEqual([["waiting", "waiting"], 411]);
      await thread.answer(4_700, 4_700);
      expect([members.map(({ is }) => is), await paid()]).toEqual([["acknowledged", "acknowledged"], 413]);
      expect(thread.passes.length).toBe(3);
    });

    it("three at most before changes wait, however much they write", async () => {
      for (let pass = 1; pass <= 3; pass++) {
        expect(thread.passes.length).toBe(pass);
        await thread.answer(9_000 * pass, 4_000 * pass);
      }
      const member = followed(pay(1_000));
      await someTurns();
      expect([thread.passes.length, member.is]).toEqual([4, "waiting"]);
      await thread.answer(27_000, 27_000);
      expect(member.is).toBe("acknowledged");
    });

    it("while a reader needs it as often as it grows by 4,000 pages", async () => {
      await thread.answer(4_500, 4_400);
      await thread.answer(4_500, 4_400);
      await payMany(1_000, 200);
      expect(thread.passes.length).toBe(2);
      await payMany(2_000, 200);
      expect(thread.passes.length).toBe(3);
    });

    it("while a reader needs it each minute too, since the reader may have ended", async () => {
      await thread.answer(4_500, 4_400);
      await thread.answer(4_500, 4_400);
      const now = performance.now();
      const clock = jest.spyOn(performance, "now");
      clock.mockReturnValue(now + 59_000);
      for (let id = 1_000; id < 1_008; id++) await pay(id);
      await someTurns();
      expect(thread.passes.length).toBe(2);
      clock.mockReturnValue(now + 61_000);
      for (let id = 2_000; id < 2_008; id++) await pay(id);
      await someTurns();
      expect(thread.passes.length).toBe(3);
    });

    it("that no change waits for when the last hangs: they are refused until it ends (R-X358)", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      await thread.answer(4_500, 4_500);
      const member = followed(pay(1_000));
      await someTurns();
      jest.advanceTimersByTime(5_300);
      await someTurns();
      const later = followed(pay(1_001));
      await someTurns();
      expect([member.is, later.is, health.trouble, await paid()]).toEqual([
        "store: hangs",
        "store: hangs",
        "hangs",
        410,
      ]);
      await thread.answer(4_500, 4_500);
      await pay(1_002);
      expect([health.trouble, await paid()]).toEqual([undefined, 411]);
    });

    it("that no change waits for when the last hangs, which has more time the more is left", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      for (let pass = 1; pass <= 3; pass++) await thread.answer(9_000 * pass, 4_000 * pass);
      const member = followed(pay(1_000));
      await someTurns();
      jest.advanceTimersByTime(19_900);
      await someTurns();
      expect([member.is, health.trouble]).toEqual(["waiting", undefined]);
      jest.advanceTimersByTime(200);
      await someTurns();
      expect([member.is, health.trouble]).toEqual(["store: hangs", "hangs"]);
    });

    it("before something else is done instead of a flush, which does not wait for a copy (R-X358)", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      let left: number | undefined;
      const cleared = dialect.withLogCopied((pagesLeft) => {
        left = pagesLeft;
        return dialect.insteadOfFlush(pagesLeft, async () => "cleared");
      });
      await someTurns();
      jest.advanceTimersByTime(60_000);
      await pay(1_000);
      expect([left, health.trouble]).toEqual([undefined, undefined]);
      await thread.answer(4_600, 4_600);
      // The last pass of the copy under way, then those of the copy beforehand.
      await thread.answer(4_600, 4_600);
      await thread.answer(4_700, 4_590);
      expect([await cleared, left, thread.passes.length]).toEqual(["cleared", 110, 3]);
    });

    it("not while something else is done instead of a flush", async () => {
      await thread.answer(4_600, 4_600);
      await thread.answer(4_600, 4_600);
      const clearing = Promise.withResolvers<void>();
      const cleared = dialect.withLogCopied(() => clearing.promise);
      await someTurns();
      await thread.answer(4_600, 4_600);
      await payMany(2_000, 500);
      expect(thread.passes.length).toBe(3);
      clearing.resolve();
      await cleared;
      await payMany(3_000, 10);
      expect(thread.passes.length).toBe(4);
    });

    it("whose flush ends writing though it has hung before it fails", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      await thread.answer(4_500, 4_500);
      jest.advanceTimersByTime(5_300);
      await someTurns();
      expect([health.trouble, flushFailures.length]).toEqual(["hangs", 0]);
      await thread.fail(flushFailure("The log of the store was not copied.", "disk I/O error"));
      await expect(pay(1_000)).rejects.toMatchObject({ detail: "store: disk" });
      expect(flushFailures.length).toBe(1);
    });

    it("and never by the thread that serves because the last has hung", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      await thread.answer(4_500, 4_500);
      jest.advanceTimersByTime(5_300);
      await someTurns();
      await thread.answer(4_500, 4_500);
      expect(copiedPages()).toBe(0);
    });

    it("and not by the thread that serves when the other one was quiet for so long that it has ended", async () => {
      const change = Promise.withResolvers<void>();
      const long = db.transaction().execute(async (tx) => {
        await tx.insertInto("payments").values({ id: 1_000, note: "" }).execute();
        await change.promise;
      });
      await someTurns();
      await thread.answer(4_500, 4_500);
      thread.isOpen = false;
      change.resolve();
      await long;
      await someTurns();
      expect([thread.passes.length, thread.isOpen, copiedPages()]).toEqual([2, true, 0]);
    });

    it("whose failed flush ends writing at once, though a change is at work, and is not forgotten by a close", async () => {
      const change = Promise.withResolvers<void>();
      const long = followed(
        db.transaction().execute(async (tx) => {
          await tx.insertInto("payments").values({ id: 1_000, note: "" }).execute();
          await change.promise;
        }),
      );
      await someTurns();
      await thread.fail(flushFailure("The log of the store was not copied.", "disk I/O error"));
      expect([flushFailures.length, health.trouble]).toEqual([1, "disk"]);
      await db.destroy();
      expect(existsSync(`${path}-wal`)).toBe(true);
      change.resolve();
      await someTurns();
      expect(long.is).toBe("store: disk");
    });

    it.each([
      ["beside changes", 0],
      ["for which changes wait", 1],
    ])("whose failed flush ends writing: %s", async (_, passesBefore) => {
      for (let pass = 1; pass <= passesBefore; pass++) await thread.answer(4_500, 4_500);
      await thread.fail(flushFailure("The log of the store was not copied.", "disk I/O error"));
      await expect(pay(1_000)).rejects.toMatchObject({ detail: "store: disk" });
      expect([flushFailures.length, health.trouble, await paid()]).toEqual([1, "disk", 410]);
      await db.destroy();
      // A start is to read the log as the disk has it.
      expect(existsSync(`${path}-wal`)).toBe(true);
    });

    it("of which nothing comes on a full disk: the log stays, and changes go on", async () => {
      thread.passes.at(-1)?.resolve(undefined);
      await someTurns();
      await pay(1_000);
      expect([thread.passes.length, await paid(), health.trouble]).toEqual([1, 411, undefined]);
    });

    it.each([
      ["beside changes", 0],
      ["for which changes wait", 1],
    ])("by the thread that serves when the other one is lost: %s", async (_, passesBefore) => {
      for (let pass = 1; pass <= passesBefore; pass++) await thread.answer(4_500, 4_500);
      const pages = logPages();
      await thread.fail(new Error("The thread that copies the log has ended."));
      await payMany(1_000, 200);
      // All of it was copied, so it began at its beginning again.
      expect([logPages(), await paid(), health.trouble]).toEqual([pages, 610, undefined]);
    });

    it("the one under way being waited for when the store is closed, and the last", async () => {
      const closed = followed(db.destroy());
      await someTurns();
      expect([closed.is, thread.hasEnded]).toEqual(["waiting", false]);
      await thread.answer(9_000, 4_000);
      expect([closed.is, thread.hasEnded, thread.passes.length]).toEqual(["acknowledged", true, 1]);
      expect(existsSync(`${path}-wal`)).toBe(false);
    });
  });

  describe("is copied by a thread", () => {
    let thread: DiskThread;
    let mainFile: number;
    afterEach(async () => {
      await db.destroy();
      closeSync(mainFile);
    });
    beforeEach(() => {
      mainFile = openSync(path, "r+");
      thread = diskThread(path, () => mainFile);
      openWith(thread);
    });

    it("so that it begins anew, though changes and reads go on", async () => {
      let isOver = false;
      const read = async () => {
        for (; !isOver; await turn()) await paid();
      };
      const reading = [read(), read()];
      let [payments, beginnings, pagesBefore] = [0, 0, 0];
      const until = performance.now() + 60_000;
      while (beginnings < 2 && performance.now() < until) {
        await Promise.all(Array.from({ length: 8 }, () => pay(++payments, LARGE)));
        const pages = present(pagesInUse());
        if (pages < pagesBefore) beginnings++;
        pagesBefore = pages;
        // A slow disk is to have time for the copy.
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      isOver = true;
      await Promise.all(reading);
      expect([beginnings, thread.isOpen, await paid(), health.trouble]).toEqual([2, true, payments, undefined]);
      await db.destroy();
      expect([thread.isOpen, existsSync(`${path}-wal`)]).toEqual([false, false]);
      const reader = openHandle({ readonly: true });
      expect([
        reader.prepare("select count(*) from payments").pluck().get(),
        reader.pragma("integrity_check", { simple: true }),
      ]).toEqual([payments, "ok"]);
      reader.close();
    });

    it("that is ended by a close at any moment", async () => {
      await payMany(1);
      await db.destroy();
      expect([thread.isOpen, existsSync(`${path}-wal`)]).toEqual([false, false]);
    });

    it("that has ended when its store was quiet for ten seconds, and begins again", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      await thread.open();
      expect(await thread.copyLog()).toEqual({ pages: 2, copied: 2 });
      jest.advanceTimersByTime(9_900);
      await thread.copyLog();
      jest.advanceTimersByTime(9_900);
      expect(thread.isOpen).toBe(true);
      jest.advanceTimersByTime(200);
      expect(thread.isOpen).toBe(false);
      await pay(1);
      await thread.open();
      expect((await thread.copyLog())?.copied).toBeGreaterThan(0);
    });

    it("that carries out nothing more once a flush has failed (decision 0039)", async () => {
      await payMany(1, 10);
      const unflushable = openSync("/dev/null", "r+");
      const failing = diskThread(path, () => unflushable);
      await failing.open();
      const orders = await Promise.allSettled([failing.copyLog(), failing.clear(1), failing.copyLog()]);
      const code = "SQLITE_IOERR_FSYNC";
      expect(orders).toMatchObject(Array.from({ length: 3 }, () => ({ status: "rejected", reason: { code } })));
      // Not cut: a start is to read it as the disk has it.
      expect(logPages()).toBeGreaterThan(100);
      await failing.end();
      closeSync(unflushable);
    });

    it("that has ended when its store was quiet for ten seconds after an order that failed", async () => {
      const readOnly = openSync(path, "r");
      const failing = diskThread(path, () => readOnly);
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      for (let id = 1; id <= 200; id++) await pay(id, "y".repeat((id * 7919) % 3_000));
      await sql`update payments set note = 'z'`.execute(db);
      await failing.open();
      await expect(failing.clear(1)).rejects.toMatchObject({ code: "EBADF" });
      jest.advanceTimersByTime(10_100);
      expect(failing.isOpen).toBe(false);
      await failing.end();
      closeSync(readOnly);
    });

    it("that keeps a program from ending while it is at an order, and no longer", () => {
      const source = join(
        import.meta.dirname,
        "..",
        "..",
        "..",
        "..",
        "src",
        "runtime",
        "database",
        "sqlite",
        "disk-thread.ts",
      );
      const program = join(folder, "program.mjs");
      const text = `
        import { openSync } from "node:fs";
        import { diskThread } from ${JSON.stringify(source)};
        const path = process.argv[2];
        const file = openSync(path, "r+");
        const thread = diskThread(path, () => file);
        await thread.open();
        console.log(await thread.copyLog());
        const copiedAt = performance.now();
        // Below the time after which a quiet thread ends by itself.
        process.on("exit", () => console.log(performance.now() - copiedAt < 8_000));`;
      writeFileSync(program, text);
      const { status, stdout } = spawnSync(process.execPath, [program, path], { encoding: "utf8" });
      expect([status, stdout]).toEqual([0, "{ pages: 2, copied: 2 }\ntrue\n"]);
    });

    it("that begins again though one before it could not", async () => {
      const later = join(folder, "later.db");
      const again = diskThread(later, () => mainFile);
      await expect(again.open()).rejects.toThrow();
      copyFileSync(path, later);
      await again.open();
      expect([again.isOpen, await again.copyLog()]).toEqual([true, { pages: 0, copied: 0 }]);
      await again.end();
    });

    it("or by the one that serves when the file cannot be opened by another handle", async () => {
      const lost = diskThread(join(folder, "elsewhere", "log.db"), () => mainFile);
      await expect(lost.open()).rejects.toThrow();
      expect(lost.isOpen).toBe(false);
      await expect(lost.copyLog()).rejects.toThrow("has ended");
      await lost.end();
    });
  });
});

const compiler = spawnSync("cc", ["--version"]).error && "cc is not installed";
const onLinux = process.platform === "linux" ? undefined : "its files are found by /proc";

describeWith(
  { name: "a C compiler on Linux", missing: compiler || onLinux },
  "a disk on which the copy of a long log hangs (R-X358)",
  () => {
    it.each([
      ["alone", false],
      ["with an erasure that waits for it", true],
    ])(
      "keeps neither reads nor changes from anything: %s",
      async (_, isErasing) => {
        const folder = newFolder("gh-hung-");
        const library = join(folder, "flush-shim.so");
        execFileSync("cc", ["-shared", "-fPIC", "-o", library, join(SUPPORT, "flush-shim.c")]);
        const [store, record, trigger] = [
          join(folder, "data", "s.sqlite"),
          join(folder, "record"),
          join(folder, "hangs"),
        ];
        mkdirSync(join(folder, "data"));
        writeFileSync(record, "");
        const program = spawn(process.execPath, [join(import.meta.dirname, "power-cut-writer.ts"), store, record], {
          stdio: ["ignore", "inherit", "inherit"],
          env: { ...process.env, LD_PRELOAD: library, HANGING_FLUSH: trigger, FLUSH_OF: ".sqlite" },
        });
        const exited = once(program, "exit");
        const counts = async () => {
          const words = readFileSync(record, "latin1");
          return { told: words.split("told ").length - 1, seen: words.split("seen ").length - 1 };
        };
        try {
          await eventually(counts, ({ told }) => told > 1);
          writeFileSync(trigger, "");
          const isLong = async () => statSync(`${store}-wal`).size > 4_500 * PAGE_BYTES;
          expect(await eventually(isLong, (long) => long, 60_000)).toBe(true);
          if (isErasing) program.kill("SIGUSR2");
          const before = await counts();
          const isMore = ({ told, seen }: typeof before) => told > before.told + 500 && seen > before.seen + 50;
          expect(isMore(await eventually(counts, isMore, 60_000))).toBe(true);
          // When it ends, the log begins anew.
          rmSync(trigger);
          const pages = async () => {
            const handle = new BetterSqlite3(store, { readonly: true });
            const [state] = handle.pragma("wal_checkpoint(noop)") as readonly { readonly log: number }[];
            handle.close();
            return state?.log ?? Number.POSITIVE_INFINITY;
          };
          expect(await eventually(pages, (count) => count < 4_000, 60_000)).toBeLessThan(4_000);
          const isCleared = async () => readFileSync(record, "latin1").includes("cleared");
          if (isErasing) await eventually(isCleared, (cleared) => cleared, 60_000);
          expect(await isCleared()).toBe(isErasing);
        } finally {
          program.kill("SIGKILL");
          await exited;
        }
      },
      240_000,
    );
  },
);
