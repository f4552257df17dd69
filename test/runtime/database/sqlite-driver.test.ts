import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { Kysely, sql, type Transaction } from "kysely";
import { runAlone } from "../../../src/runtime/basis/inside-change.ts";
import { createMetrics } from "../../../src/runtime/basis/metrics.ts";
import { isRetryable } from "../../../src/runtime/database/database.ts";
import { SqliteDialect } from "../../../src/runtime/database/sqlite-driver.ts";
import { createStoreHealth, type StoreHealth } from "../../../src/runtime/database/store-health.ts";

interface Tables {
  payments: { readonly id: number; readonly note: string };
  receipts: { readonly payment: number };
}

/** A member of a group must be able to wait, so that others gather behind it. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the SQLite driver", () => {
  let folder: string;
  let path: string;
  let statements: string[];
  let writer: BetterSqlite3.Database;
  let dialect: SqliteDialect;
  let db: Kysely<Tables>;
  let health: StoreHealth;
  /** What the driver takes for the time, in ms. */
  let now: number;

  const openHandle = (options: BetterSqlite3.Options = {}) => {
    const handle = new BetterSqlite3(path, { timeout: 0, ...options });
    handle.pragma("journal_mode = wal");
    handle.pragma("synchronous = full");
    return handle;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gh-driver-"));
    path = join(folder, "driver.db");
    statements = [];
    writer = openHandle({ verbose: (statement) => statements.push(String(statement)) });
    const reader = openHandle();
    writer.exec("create table payments (id integer primary key, note text not null) strict");
    writer.exec("create table receipts (payment integer not null) strict");
    health = createStoreHealth();
    now = 0;
    dialect = new SqliteDialect({ reader, writer, health, now: () => now });
    db = new Kysely<Tables>({ dialect });
    statements.length = 0;
  });

  afterEach(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true });
  });

  /** Both rows or none. */
  const pay = (id: number, inside: (tx: Transaction<Tables>) => Promise<unknown> = async () => {}, note = "") =>
    db.transaction().execute(async (tx) => {
      await tx.insertInto("payments").values({ id, note }).execute();
      await inside(tx);
      await tx.insertInto("receipts").values({ payment: id }).execute();
      return id;
    });

  const paid = async () => (await db.selectFrom("payments").select("id").orderBy("id").execute()).map(({ id }) => id);
  const receipted = async () =>
    (await db.selectFrom("receipts").select("payment").orderBy("payment").execute()).map(({ payment }) => payment);
  const countOf = (statement: string) => statements.filter((one) => one === statement).length;
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it("reads without waiting for an open transaction, and sees none of its writes (the stock dialect waits for ever)", async () => {
    const seen: number[][] = [];
    await pay(1, async () => seen.push(await paid()));
    expect(seen).toEqual([[]]);
    expect(await paid()).toEqual([1]);
  });

  describe("reads of one turn", () => {
    let other: BetterSqlite3.Database;
    beforeEach(() => {
      other = openHandle();
    });
    afterEach(() => other.close());

    /** From the second one on they share a read transaction. */
    const readThrice = async () => {
      for (let read = 0; read < 3; read++) await paid();
    };
    const writtenElsewhere = () => other.exec("insert into payments values (9, 'elsewhere')");

    it("share one read transaction, which a commit of ours ends", async () => {
      await turn();
      await readThrice();
      writtenElsewhere();
      expect(await paid()).toEqual([]);
      await pay(1);
      expect(await paid()).toEqual([1, 9]);
    });

    it("see what was committed elsewhere from the next turn on", async () => {
      await readThrice();
      writtenElsewhere();
      await turn();
      expect(await paid()).toEqual([9]);
    });

    it("see their own commit at once, within the same turn", async () => {
      const seen: number[][] = [];
      const done = range(64).map((id) =>
        pay(id).then(async () => {
          seen.push(await paid());
        }),
      );
      await readThrice();
      await Promise.all(done);
      expect(seen).toEqual(range(64).map(() => range(64)));
    });

    it("leave nothing in the way of a checkpoint", async () => {
      await pay(1);
      await readThrice();
      await pay(2);
      expect(other.pragma("wal_checkpoint(truncate)")).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
    });

    it("go on behind one that fails", async () => {
      await readThrice();
      await expect(sql`select json('{')`.execute(db)).rejects.toThrow("malformed JSON");
      writtenElsewhere();
      await turn();
      expect(await paid()).toEqual([9]);
    });

    it("end when the store is closed", async () => {
      await readThrice();
      await db.destroy();
      expect(other.pragma("wal_checkpoint(truncate)")).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
    });
  });

  it("lets transactions that wait for each other share one commit", async () => {
    await Promise.all(range(20).map((id) => pay(id, turn)));
    expect(await paid()).toEqual(range(20));
    expect([countOf("savepoint member"), countOf("begin immediate"), countOf("commit")]).toEqual([20, 1, 1]);
  });

  it("lets single statements share one commit too", async () => {
    await Promise.all(range(20).map((payment) => db.insertInto("receipts").values({ payment }).execute()));
    expect(await receipted()).toEqual(range(20));
    expect(countOf("commit")).toBe(1);
  });

  it("commits a group of 64 though more are waiting, so that the first one is not delayed", async () => {
    await Promise.all(range(130).map((id) => pay(id)));
    expect(await paid()).toEqual(range(130));
    expect(countOf("commit")).toBe(3);
  });

  /** Lets everything run that waits for no new turn of the event loop. */
  const restOfTurn = async () => {
    for (let tick = 0; tick < 200; tick++) await Promise.resolve();
  };

  it("lets a transaction share the commit of one that has ended already, within a turn of the event loop", async () => {
    const first = pay(1);
    await restOfTurn();
    expect([countOf("release member"), countOf("commit")]).toEqual([1, 0]);
    await Promise.all([first, pay(2)]);
    expect([await paid(), countOf("commit")]).toEqual([[1, 2], 1]);
  });

  it("commits for members that come alone when their turns end: each has its own commit", async () => {
    await pay(1);
    await pay(2);
    expect(countOf("commit")).toBe(2);
  });

  it("leaves a group of several open for a further turn while turns bring more members", async () => {
    const early = [pay(1), pay(2)];
    await restOfTurn();
    await turn();
    expect([countOf("release member"), countOf("commit")]).toEqual([2, 0]);
    const later = pay(3);
    await restOfTurn();
    await turn();
    expect([countOf("release member"), countOf("commit")]).toEqual([3, 0]);
    await Promise.all([...early, later]);
    expect([await paid(), countOf("commit")]).toEqual([[1, 2, 3], 1]);
  });

  it("lets the first member after a shared commit wait for a turn too, since the others come again", async () => {
    await Promise.all([pay(1), pay(2)]);
    const first = pay(3);
    await restOfTurn();
    await turn();
    expect(countOf("commit")).toBe(1);
    await Promise.all([first, pay(4)]);
    expect([await paid(), countOf("commit")]).toEqual([[1, 2, 3, 4], 2]);
  });

  it("commits a group of several after a turn that brought no more", async () => {
    const early = [pay(1), pay(2)];
    await restOfTurn();
    await turn();
    expect(countOf("commit")).toBe(0);
    await turn();
    expect(countOf("commit")).toBe(1);
    await Promise.all(early);
  });

  it("commits a group that still grows when it has been open for 10 ms", async () => {
    const members = [pay(1), pay(2)];
    await restOfTurn();
    now = 10;
    await turn();
    expect(countOf("commit")).toBe(1);
    await Promise.all(members);
  });

  it("commits when a member leaves a group that has been open for 50 ms, though others wait", async () => {
    const slow = (id: number) =>
      pay(id, async () => {
        now += 30;
      });
    await Promise.all([slow(1), slow(2), slow(3), slow(4)]);
    expect([await paid(), countOf("commit")]).toEqual([[1, 2, 3, 4], 2]);
  });

  describe("what wants to be called before a commit (decision 0075)", () => {
    /** A member that begins another one when it is called. */
    const payWith = (id: number, later: () => Promise<unknown>) => {
      const called = Promise.withResolvers<unknown>();
      const first = pay(id, async () => dialect.beforeCommit(() => called.resolve(later())));
      return Promise.all([first, called.promise]);
    };

    it("shares it with what the call begins", async () => {
      await payWith(1, () => pay(2));
      expect([await paid(), countOf("commit")]).toEqual([[1, 2], 1]);
    });

    it("is called once, though what was called asks too", async () => {
      const again = jest.fn();
      await payWith(1, () => pay(2, async () => dialect.beforeCommit(again)));
      expect([again.mock.calls, await paid(), countOf("commit")]).toEqual([[], [1, 2], 1]);
    });

    it("is not called where several share the commit: it would keep all of them waiting", async () => {
      const called = jest.fn();
      const asking = (id: number) => pay(id, async () => dialect.beforeCommit(called));
      await Promise.all([asking(1), asking(2)]);
      expect([called.mock.calls, await paid(), countOf("commit")]).toEqual([[], [1, 2], 1]);
    });

    it("does not make a lone member wait for company the next time", async () => {
      await payWith(1, () => pay(2));
      const next = pay(3);
      await restOfTurn();
      await turn();
      expect(countOf("commit")).toBe(2);
      await next;
    });

    it("is not called by a long change, and by none that has been open for long", async () => {
      const called = jest.fn();
      const asking = (id: number, ms = 0) =>
        pay(id, async () => {
          now += ms;
          dialect.beforeCommit(called);
        });
      await runAlone(() => asking(1));
      await asking(2, 60);
      expect([called.mock.calls, await paid(), countOf("commit")]).toEqual([[], [1, 2], 2]);
    });

    it("commits without what it began and what fails", async () => {
      const failing = () =>
        pay(2, async () => {
          throw new Error("no");
        });
      await expect(payWith(1, failing)).rejects.toThrow("no");
      expect([await paid(), countOf("commit")]).toEqual([[1], 1]);
    });

    it("fails with what it began when that fills the store, since SQLite ends the whole transaction", async () => {
      writer.pragma(`max_page_count = ${writer.pragma("page_count", { simple: true })}`);
      const called = Promise.withResolvers<unknown>();
      const first = pay(1, async () =>
        dialect.beforeCommit(() => called.resolve(pay(2, undefined, "x".repeat(20_000)))),
      );
      const ended = await Promise.allSettled([first, called.promise]);
      expect(ended).toMatchObject([1, 2].map(() => ({ status: "rejected", reason: { code: "UNAVAILABLE" } })));
      expect(await paid()).toEqual([]);
    });

    it("waits for what it began and what takes turns", async () => {
      await payWith(1, () => pay(2, turn));
      expect([await paid(), countOf("commit")]).toEqual([[1, 2], 1]);
    });
  });

  it("commits a waiting group before a long change begins, and that change by itself", async () => {
    const others = Promise.withResolvers<void>();
    const first = pay(1);
    const long = runAlone(() => pay(2, () => others.promise));
    const later = pay(3);
    await first;
    expect([await paid(), countOf("commit")]).toEqual([[1], 1]);
    others.resolve();
    await long;
    await later;
    expect([await paid(), countOf("commit")]).toEqual([[1, 2, 3], 3]);
  });

  (existsSync("/proc/self/fd") ? it : it.skip)(
    "keeps what undoes a member in memory, and that of a long change in a file",
    async () => {
      const targetOf = (fd: string): string => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`);
        } catch {
          // The folder's own handle, closed by now.
          return "";
        }
      };
      // SQLite's temporary files have no name, or none any more.
      const unnamedFiles = () =>
        readdirSync("/proc/self/fd").filter((fd) => targetOf(fd).endsWith(" (deleted)")).length;
      const unnamedBefore = unnamedFiles();
      const found: number[] = [];
      const rewrite = (letter: string) =>
        db.transaction().execute(async (tx) => {
          await tx
            .updateTable("payments")
            .set({ note: letter.repeat(4_000) })
            .execute();
          found.push(unnamedFiles() - unnamedBefore);
        });
      await Promise.all(range(64).map((id) => pay(id, undefined, "x".repeat(4_000))));
      await rewrite("y");
      await runAlone(() => rewrite("z"));
      await rewrite("y");
      expect(found).toEqual([0, 1, 0]);
    },
  );

  it("counts commits, and the transactions that shared them; one without changes has no flush", async () => {
    const metrics = createMetrics();
    health.measure(metrics);
    await Promise.all(range(3).map((id) => pay(id)));
    await db.transaction().execute((tx) => tx.selectFrom("payments").select("id").execute());
    await db.deleteFrom("payments").where("id", "=", 99).execute();
    const page = await metrics.metrics();
    expect(page).toContain("gatehouse_store_commits_total 1\n");
    expect(page).toContain("gatehouse_store_transactions_total 3\n");
  });

  it("commits the open group when it is closed", async () => {
    const first = pay(1);
    await restOfTurn();
    await db.destroy();
    await first;
    writer = openHandle();
    expect(writer.prepare("select id from payments").pluck().all()).toEqual([1]);
    writer.close();
  });

  describe("when a commit fails", () => {
    let code: string | undefined;
    const flushFailures: unknown[] = [];
    let inPlace: boolean;

    beforeEach(async () => {
      await db.destroy();
      code = undefined;
      inPlace = true;
      flushFailures.length = 0;
      writer = openHandle({ verbose: (statement) => statements.push(String(statement)) });
      const prepare = writer.prepare.bind(writer);
      jest.spyOn(writer, "prepare").mockImplementation(((source: string) => {
        const statement = prepare(source);
        if (source !== "commit") return statement;
        return {
          run() {
            if (code !== undefined) throw Object.assign(new Error("the commit fails"), { code });
            return statement.run();
          },
        };
      }) as typeof writer.prepare);
      const onFlushFailed = (error: unknown) => void flushFailures.push(error);
      const isInPlace = () => inPlace;
      const handles = { reader: openHandle(), writer, health, isInPlace, onFlushFailed, now: () => now };
      db = new Kysely<Tables>({ dialect: new SqliteDialect(handles) });
    });

    const failures = async (members: readonly Promise<unknown>[]) =>
      (await Promise.allSettled(members)).map((one) => one.status === "rejected" && one.reason.detail);

    it("fails every transaction that shared it, keeps none of their writes, and leaves later ones alone", async () => {
      code = "SQLITE_FULL";
      expect(await failures([pay(1), pay(2), pay(3)])).toEqual(["store: full", "store: full", "store: full"]);
      expect([await paid(), health.trouble]).toEqual([[], "full"]);
      code = undefined;
      await pay(4);
      expect([await paid(), await receipted(), health.trouble]).toEqual([[4], [4], undefined]);
      expect(flushFailures).toEqual([]);
    });

    it.each(["SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC"])(
      "writes nothing after a failed flush, though the next would succeed (%s)",
      async (flush) => {
        await pay(1);
        code = flush;
        expect(await failures([pay(2), pay(3)])).toEqual(["store: disk", "store: disk"]);
        code = undefined;
        expect(await failures([pay(4), pay(5)])).toEqual(["store: disk", "store: disk"]);
        expect([await paid(), health.trouble]).toEqual([[1], "disk"]);
        expect(flushFailures).toEqual([expect.objectContaining({ code: flush })]);
      },
    );

    it("commits nothing into a file that a later start would not find", async () => {
      inPlace = false;
      expect(await failures([pay(1)])).toEqual(["store: away"]);
      inPlace = true;
      await pay(2);
      expect([await paid(), health.trouble]).toEqual([[2], undefined]);
    });
  });

  describe("a commit whose log is flushed by us (decision 0076)", () => {
    let underWay: ((error?: Error) => void)[];
    const flushFailures: unknown[] = [];
    const ioError = () => Object.assign(new Error("the flush fails"), { code: "SQLITE_IOERR_FSYNC" });

    beforeEach(async () => {
      // Kysely closes nothing that was never used.
      await paid();
      await db.destroy();
      underWay = [];
      flushFailures.length = 0;
      writer = openHandle({ verbose: (statement) => statements.push(String(statement)) });
      writer.pragma("synchronous = normal");
      writer.pragma("wal_autocheckpoint = 0");
      const log = {
        flush: (ended: (error?: Error) => void) => void underWay.push(ended),
        close: () => undefined,
      };
      const onFlushFailed = (error: unknown) => void flushFailures.push(error);
      dialect = new SqliteDialect({
        reader: openHandle({ readonly: true }),
        writer,
        health,
        log,
        onFlushFailed,
        now: () => now,
      });
      db = new Kysely<Tables>({ dialect });
    });

    afterEach(() => {
      jest.useRealTimers();
      for (const end of underWay) end();
    });

    /** Until the flush of the group is under way, or the group was committed otherwise. */
    const someTurns = async () => {
      for (let count = 0; count < 6; count++) await turn();
    };
    const endFlush = (error?: Error) => underWay.shift()?.(error);

    /** Where it has got to, as its caller sees it. */
    const followed = (member: Promise<unknown>) => {
      const state = { is: "waiting" };
      member.then(
        () => Object.assign(state, { is: "acknowledged" }),
        (error: { readonly detail?: string }) => Object.assign(state, { is: error.detail ?? String(error) }),
      );
      return state;
    };

    it("is acknowledged, and seen by reads, when the flush has ended, and not before", async () => {
      const first = followed(pay(1));
      await someTurns();
      expect([countOf("commit"), underWay.length, first.is, await paid(), await paid()]).toEqual([
        1,
        1,
        "waiting",
        [],
        [],
      ]);
      endFlush();
      expect(await paid()).toEqual([1]);
      await someTurns();
      expect(first.is).toBe("acknowledged");
    });

    it("is one at a time: those who come during a flush share the next commit", async () => {
      const first = followed(pay(1));
      await someTurns();
      const later = [2, 3, 4].map((id) => followed(pay(id)));
      await someTurns();
      expect([countOf("commit"), underWay.length, countOf("savepoint member")]).toEqual([1, 1, 4]);
      endFlush();
      await someTurns();
      expect([first.is, ...later.map(({ is }) => is)]).toEqual(["acknowledged", "waiting", "waiting", "waiting"]);
      expect([countOf("commit"), underWay.length, await paid()]).toEqual([2, 1, [1]]);
      endFlush();
      await someTurns();
      expect([later.map(({ is }) => is), await paid()]).toEqual([
        ["acknowledged", "acknowledged", "acknowledged"],
        [1, 2, 3, 4],
      ]);
    });

    it("commits a group that filled up during a flush as soon as it ends, and those behind it next", async () => {
      const members = [pay(1)];
      await someTurns();
      members.push(...range(100).map((id) => pay(id + 1)));
      await someTurns();
      expect(countOf("savepoint member")).toBe(65);
      endFlush();
      await restOfTurn();
      expect([countOf("commit"), underWay.length]).toEqual([2, 1]);
      await someTurns();
      expect(countOf("savepoint member")).toBe(101);
      endFlush();
      await someTurns();
      endFlush();
      await Promise.all(members);
      expect([await paid(), countOf("commit")]).toEqual([range(101), 3]);
    });

    it("keeps a member waiting that changes nothing, since it may have seen what is not flushed yet", async () => {
      const first = followed(pay(1));
      await someTurns();
      const looked = followed(db.transaction().execute((tx) => tx.selectFrom("payments").select("id").execute()));
      await someTurns();
      expect([first.is, looked.is]).toEqual(["waiting", "waiting"]);
      endFlush();
      await someTurns();
      expect([first.is, looked.is, underWay.length]).toEqual(["acknowledged", "acknowledged", 0]);
    });

    it("keeps a member waiting that fails because of what it saw", async () => {
      const first = followed(pay(1));
      await someTurns();
      const second = followed(pay(1));
      await someTurns();
      expect([first.is, second.is]).toEqual(["waiting", "waiting"]);
      endFlush();
      await someTurns();
      expect([first.is, second.is]).toEqual(["acknowledged", expect.stringMatching(/UNIQUE constraint failed/)]);
    });

    it("tells a member that failed because of what it saw that the store failed, when that was not flushed", async () => {
      const members = [followed(pay(1))];
      await someTurns();
      members.push(followed(pay(1)));
      await someTurns();
      endFlush(ioError());
      await someTurns();
      expect(members.map(({ is }) => is)).toEqual(["store: disk", "store: disk"]);
    });

    it("is flushed for rows and tables alike, and not for nothing", async () => {
      const nothing = followed(db.deleteFrom("payments").where("id", "=", 99).execute());
      await someTurns();
      expect([nothing.is, underWay.length]).toEqual(["acknowledged", 0]);
      const index = followed(sql`create index notes on payments (note)`.execute(db));
      await someTurns();
      expect([index.is, underWay.length]).toEqual(["waiting", 1]);
    });

    it("lets a long change begin when everything before it is flushed", async () => {
      const first = followed(pay(1));
      await someTurns();
      const second = followed(pay(2));
      await someTurns();
      const long = followed(runAlone(() => pay(3)));
      await someTurns();
      expect(countOf("savepoint member")).toBe(2);
      endFlush();
      await someTurns();
      expect([first.is, countOf("savepoint member")]).toEqual(["acknowledged", 2]);
      endFlush();
      await someTurns();
      expect([second.is, countOf("savepoint member"), long.is]).toEqual(["acknowledged", 3, "waiting"]);
      endFlush();
      await someTurns();
      expect([long.is, await paid()]).toEqual(["acknowledged", [1, 2, 3]]);
    });

    it("works quietly when everything is flushed, and lets nobody begin before that", async () => {
      const first = followed(pay(1));
      await someTurns();
      const seen: unknown[] = [];
      const work = dialect.quietly(() => seen.push([writer.inTransaction, underWay.length]));
      const second = followed(pay(2));
      await someTurns();
      expect([seen, countOf("savepoint member")]).toEqual([[], 1]);
      endFlush();
      await work;
      await someTurns();
      expect([seen, first.is, second.is, underWay.length]).toEqual([[[false, 0]], "acknowledged", "waiting", 1]);
    });

    it("lets other work be what changes wait for, and says what became of it", async () => {
      const work = Promise.withResolvers<string>();
      const done = dialect.insteadOfFlush(0, () => work.promise);
      const first = followed(pay(1));
      await someTurns();
      expect([first.is, await paid(), countOf("begin immediate")]).toEqual(["waiting", [], 0]);
      work.resolve("done");
      expect(await done).toBe("done");
      await someTurns();
      endFlush();
      await someTurns();
      expect(first.is).toBe("acknowledged");
      const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
      await expect(dialect.insteadOfFlush(0, () => Promise.reject(full))).rejects.toMatchObject({
        detail: "store: full",
      });
      expect([health.trouble, flushFailures.length]).toEqual(["full", 0]);
      const second = followed(pay(2));
      await someTurns();
      endFlush();
      await someTurns();
      expect([second.is, health.trouble]).toEqual(["acknowledged", undefined]);
    });

    it("that fails fails all, shows nobody what is in doubt, and is the last", async () => {
      const first = followed(pay(1));
      await someTurns();
      endFlush();
      const lost = [pay(2), pay(3)].map(followed);
      await someTurns();
      const behind = followed(pay(4));
      await someTurns();
      endFlush(ioError());
      await someTurns();
      const later = followed(pay(5));
      await someTurns();
      expect([first, ...lost, behind, later].map(({ is }) => is)).toEqual([
        "acknowledged",
        ...Array(4).fill("store: disk"),
      ]);
      expect([await paid(), await paid(), health.trouble, flushFailures.length]).toEqual([[1], [1], "disk", 1]);
      await db.destroy();
      // A start is to read the log as the disk has it.
      expect(existsSync(`${path}-wal`)).toBe(true);
    });

    it("that hangs is trouble: who waits for it waits on, others are refused, and its end ends that (R-X358)", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      const first = followed(pay(1));
      await someTurns();
      const gathered = followed(pay(2));
      await someTurns();
      const long = followed(runAlone(() => pay(3)));
      await someTurns();
      jest.advanceTimersByTime(5_000);
      await someTurns();
      const later = followed(pay(4));
      await someTurns();
      expect([first, gathered, long, later].map(({ is }) => is)).toEqual([
        "waiting",
        "store: hangs",
        "store: hangs",
        "store: hangs",
      ]);
      expect([await paid(), health.trouble]).toEqual([[], "hangs"]);
      endFlush();
      await someTurns();
      expect([first.is, await paid(), health.trouble]).toEqual(["acknowledged", [1], undefined]);
      const afterwards = followed(pay(5));
      await someTurns();
      endFlush();
      await someTurns();
      expect([afterwards.is, await paid()]).toEqual(["acknowledged", [1, 5]]);
    });

    it("of a long change may take a second longer for each 4 MB of it before it hangs (R-X358)", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      // 3,000 pages of 4 KiB.
      const long = followed(runAlone(() => pay(1, undefined, "x".repeat(3_000 * 4_096))));
      await someTurns();
      jest.advanceTimersByTime(7_900);
      await someTurns();
      const before = [long.is, health.trouble];
      jest.advanceTimersByTime(300);
      await someTurns();
      expect([before, long.is, health.trouble]).toEqual([["waiting", undefined], "waiting", "hangs"]);
      endFlush();
      await someTurns();
      expect([long.is, health.trouble]).toEqual(["acknowledged", undefined]);
      const small = followed(runAlone(() => pay(2)));
      await someTurns();
      jest.advanceTimersByTime(5_100);
      await someTurns();
      expect([small.is, health.trouble]).toEqual(["waiting", "hangs"]);
      endFlush();
    });

    it("keeps a member waiting that fails, since it may have failed because of what is not flushed yet", async () => {
      const first = followed(pay(1));
      await someTurns();
      const single = followed(db.insertInto("payments").values({ id: 1, note: "again" }).execute());
      const several = followed(
        db.transaction().execute(async (tx) => {
          const { length } = await tx.selectFrom("payments").select("id").execute();
          throw new Error(`there are ${length} already`);
        }),
      );
      await someTurns();
      expect([first.is, single.is, several.is]).toEqual(["waiting", "waiting", "waiting"]);
      endFlush();
      await someTurns();
      expect([first.is, single.is, several.is]).toEqual([
        "acknowledged",
        expect.stringContaining("UNIQUE constraint failed"),
        expect.stringContaining("there are 1 already"),
      ]);
    });

    it("that fails or hangs fails whoever is about to fail because of it", async () => {
      const first = followed(pay(1));
      await someTurns();
      const again = followed(db.insertInto("payments").values({ id: 1, note: "again" }).execute());
      const gate = Promise.withResolvers<void>();
      const atWork = followed(
        db.transaction().execute(async (tx) => {
          const { length } = await tx.selectFrom("payments").select("id").execute();
          await gate.promise;
          throw new Error(`there are ${length} already`);
        }),
      );
      await someTurns();
      endFlush(ioError());
      await someTurns();
      gate.resolve();
      await someTurns();
      expect([first.is, again.is, atWork.is]).toEqual(["store: disk", "store: disk", "store: disk"]);
    });

    it("that fails lets nobody look at the file any more by another handle", async () => {
      const first = followed(pay(1));
      await someTurns();
      endFlush(ioError());
      await someTurns();
      const look = dialect.quietly(() => {
        const other = openHandle({ readonly: true });
        const rows = other.prepare("select id from payments").all();
        other.close();
        return rows;
      });
      expect(first.is).toBe("store: disk");
      await expect(look).rejects.toMatchObject({ detail: "store: disk" });
    });

    describe("is waited for when the store is closed,", () => {
      const closing = () => {
        const state = { isClosed: false };
        const ending = dialect.close().then(() => {
          state.isClosed = true;
        });
        return { state, ending };
      };

      it("be it the one behind the one under way, since a member was at work", async () => {
        const first = followed(pay(1));
        await someTurns();
        const gate = Promise.withResolvers<void>();
        const second = followed(pay(2, () => gate.promise));
        await someTurns();
        const { state, ending } = closing();
        await someTurns();
        gate.resolve();
        await someTurns();
        endFlush();
        await someTurns();
        expect([first.is, second.is, underWay.length, state.isClosed]).toEqual(["acknowledged", "waiting", 1, false]);
        endFlush();
        await ending;
        await someTurns();
        expect([second.is, flushFailures]).toEqual(["acknowledged", []]);
      });

      it("and its failure is told, be it the last one", async () => {
        pay(1);
        await someTurns();
        const gate = Promise.withResolvers<void>();
        const second = followed(pay(2, () => gate.promise));
        await someTurns();
        const { ending } = closing();
        gate.resolve();
        await someTurns();
        endFlush();
        await someTurns();
        endFlush(ioError());
        await ending;
        await someTurns();
        expect([second.is, flushFailures.length, existsSync(`${path}-wal`)]).toEqual(["store: disk", 1, true]);
      });

      it("be it of a long change that comes at the last moment", async () => {
        const first = followed(pay(1));
        await someTurns();
        const { state, ending } = closing();
        const long = followed(runAlone(() => db.insertInto("payments").values({ id: 2, note: "" }).execute()));
        endFlush();
        await someTurns();
        expect([first.is, underWay.length > 0 && state.isClosed]).toEqual(["acknowledged", false]);
        endFlush();
        await ending;
        expect(long.is).not.toBe("waiting");
      });

      it("though it hangs, and with it who gathered", async () => {
        jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
        const first = followed(pay(1));
        await someTurns();
        const gathered = followed(pay(2));
        await someTurns();
        const { state, ending } = closing();
        await someTurns();
        jest.advanceTimersByTime(5_000);
        await someTurns();
        endFlush();
        await someTurns();
        expect([first.is, underWay.length > 0 && state.isClosed]).toEqual(["acknowledged", false]);
        endFlush();
        await ending;
        expect(gathered.is).not.toBe("waiting");
      });
    });

    it("that hangs refuses those who gathered, though an export waits for it too", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      pay(1);
      await someTurns();
      const gathered = followed(pay(2));
      await someTurns();
      const exporting = followed(dialect.quietly(() => "export"));
      await someTurns();
      jest.advanceTimersByTime(5_000);
      await someTurns();
      expect([gathered.is, exporting.is]).toEqual(["store: hangs", "store: hangs"]);
    });

    it("is waited for when the store is closed, with those who gathered meanwhile", async () => {
      const members = [followed(pay(1))];
      await someTurns();
      members.push(followed(pay(2)));
      await someTurns();
      const closed = db.destroy();
      await someTurns();
      expect(members.map(({ is }) => is)).toEqual(["waiting", "waiting"]);
      endFlush();
      await someTurns();
      endFlush();
      await closed;
      expect([members.map(({ is }) => is), existsSync(`${path}-wal`)]).toEqual([
        ["acknowledged", "acknowledged"],
        false,
      ]);
    });

    it("is waited for when the store is closed while something quiet waits for it", async () => {
      const members = [followed(pay(1))];
      await someTurns();
      members.push(followed(pay(2)));
      await someTurns();
      const quiet = dialect.quietly(() => undefined);
      const closed = db.destroy();
      await someTurns();
      endFlush();
      await someTurns();
      endFlush();
      await Promise.all([quiet, closed]);
      expect(members.map(({ is }) => is)).toEqual(["acknowledged", "acknowledged"]);
    });

    it("does not hang because the thread itself was held up", async () => {
      jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] });
      const first = followed(pay(1));
      await someTurns();
      const gathered = followed(pay(2));
      await someTurns();
      // The timer comes due before libuv tells the end of the flush.
      jest.advanceTimersByTime(5_000);
      endFlush();
      await someTurns();
      endFlush();
      await someTurns();
      expect([first.is, gathered.is, health.trouble]).toEqual(["acknowledged", "acknowledged", undefined]);
    });

    it("shows nobody what is not flushed when the system ends the read that hides it", async () => {
      await db.destroy();
      writer = openHandle();
      writer.pragma("synchronous = normal");
      const reader = openHandle({ readonly: true });
      let isFailing = false;
      reader.function("met", () => {
        if (!isFailing) return 1;
        // As SQLite does when it cannot read (SQLITE_IOERR_READ).
        throw Object.assign(new Error("cannot read"), { code: "SQLITE_IOERR_READ" });
      });
      dialect = new SqliteDialect({
        reader,
        writer,
        health,
        log: { flush: (ended) => void underWay.push(ended), close: () => undefined },
      });
      db = new Kysely<Tables>({ dialect });
      const first = followed(pay(1));
      await someTurns();
      expect(await paid()).toEqual([]);
      isFailing = true;
      reader.exec("commit");
      await expect(sql`select met()`.execute(db)).rejects.toMatchObject({ detail: "store: disk" });
      isFailing = false;
      await expect(paid()).rejects.toMatchObject({ detail: "store: disk" });
      endFlush();
      await someTurns();
      expect([first.is, await paid()]).toEqual(["acknowledged", [1]]);
    });

    describe("lets the log be copied", () => {
      const LARGE = "x".repeat(40_000);
      const logBytes = () => statSync(`${path}-wal`).size;
      /** Of about 11 pages each. */
      const payMany = async (first: number, count: number) => {
        for (let id = first; id < first + count; id++) {
          const paying = pay(id, undefined, LARGE);
          await paid();
          // A flush of the pool ends at some time.
          for (let turns = 0; turns < 6; turns++) {
            await turn();
            endFlush();
          }
          await paying;
        }
      };

      it("when it is long, though reads and changes go on", async () => {
        await payMany(1, 800);
        expect(logBytes()).toBeLessThan(4_500 * 4_200);
        expect((await paid()).length).toBe(800);
      });

      it("as soon as the reader that needs it has gone", async () => {
        const other = openHandle();
        other.exec("begin");
        other.prepare("select * from payments").all();
        await payMany(1, 500);
        const grown = logBytes();
        expect(grown).toBeGreaterThan(5_000 * 4_096);
        other.exec("commit");
        other.close();
        await payMany(501, 800);
        expect(logBytes()).toBeLessThan(grown + 4_500 * 4_200);
      });
    });
  });

  it("acknowledges a member only after the commit that makes it durable", async () => {
    const told: string[] = [];
    writer.function("noted", () => 0);
    await Promise.all(
      range(3).map((id) => pay(id, turn).then(() => told.push(`${id} after ${countOf("commit")} commit`))),
    );
    expect(told).toEqual(["1 after 1 commit", "2 after 1 commit", "3 after 1 commit"]);
  });

  it("undoes only the member that fails", async () => {
    const refused = new Error("refused");
    const results = await Promise.allSettled([
      pay(1, turn),
      pay(2, async () => {
        await turn();
        throw refused;
      }),
      pay(3, turn),
    ]);
    expect(results).toEqual([
      { status: "fulfilled", value: 1 },
      { status: "rejected", reason: refused },
      { status: "fulfilled", value: 3 },
    ]);
    expect([await paid(), await receipted()]).toEqual([
      [1, 3],
      [1, 3],
    ]);
    expect(countOf("commit")).toBe(1);
  });

  it("undoes only the statement that breaks a constraint, outside transactions", async () => {
    await pay(1);
    const results = await Promise.allSettled([
      db.insertInto("payments").values({ id: 2, note: "" }).execute(),
      db.insertInto("payments").values({ id: 1, note: "" }).execute(),
      db.insertInto("payments").values({ id: 3, note: "" }).execute(),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await paid()).toEqual([1, 2, 3]);
  });

  it("rolls back to a savepoint within a member", async () => {
    const trx = await db.startTransaction().execute();
    await trx.insertInto("payments").values({ id: 1, note: "kept" }).execute();
    const inner = await trx.savepoint("inner").execute();
    await inner.insertInto("payments").values({ id: 2, note: "undone" }).execute();
    await inner.rollbackToSavepoint("inner").execute();
    await trx.commit().execute();
    expect(await paid()).toEqual([1]);
  });

  describe("when the disk is full", () => {
    const LARGE = "x".repeat(20_000);
    const ENDED_FOR_SPACE = {
      code: "UNAVAILABLE",
      retryAfterSeconds: 2,
      detail: "store: full",
      cause: new Error("The transaction was ended by the database."),
    };

    beforeEach(async () => {
      await pay(100);
      const pages = writer.pragma("page_count", { simple: true }) as number;
      writer.pragma(`max_page_count = ${pages + 8}`);
    });

    it("fails every member of the group; none hangs or stays half-written", async () => {
      const results = await Promise.allSettled(range(6).map((id) => pay(id, turn, LARGE)));
      const failed = results.filter(({ status }) => status === "rejected");
      const written = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      expect(failed.length).toBeGreaterThan(0);
      expect(await paid()).toEqual([...written, 100]);
      expect(await receipted()).toEqual([...written, 100]);
    });

    it("gives each member the cause, not what follows from it", async () => {
      const results = await Promise.allSettled(range(3).map((id) => pay(id, turn, LARGE)));
      const causes = results.map((result) =>
        result.status === "rejected" ? [result.reason.detail, String(result.reason.cause)] : ["written"],
      );
      expect(causes).toContainEqual(["store: full", "SqliteError: database or disk is full"]);
      expect(causes.filter((cause) => /savepoint|transaction/.test(cause.join()))).toEqual([]);
    });

    it("refuses further statements of a member after the database ended its transaction, so that they are not kept", async () => {
      const failing = db.transaction().execute(async (tx) => {
        await tx
          .insertInto("payments")
          .values({ id: 1, note: LARGE.repeat(4) })
          .execute()
          .catch(() => undefined);
        await tx.insertInto("receipts").values({ payment: 1 }).execute();
      });
      await expect(failing).rejects.toMatchObject(ENDED_FOR_SPACE);
      expect([await paid(), await receipted()]).toEqual([[100], [100]]);
    });

    it("refuses the commit of a member that swallowed the failure", async () => {
      const swallowing = db.transaction().execute(async (tx) => {
        await tx
          .insertInto("payments")
          .values({ id: 1, note: LARGE.repeat(4) })
          .execute()
          .catch(() => undefined);
      });
      await expect(swallowing).rejects.toMatchObject(ENDED_FOR_SPACE);
      expect(await paid()).toEqual([100]);
    });

    it("fails those who shared the group, and leaves waiting ones alone", async () => {
      const members = [pay(1, turn), pay(2, turn, LARGE.repeat(4)), ...[3, 4, 5].map((id) => pay(id, turn))];
      const results = await Promise.allSettled(members);
      expect(results.map(({ status }) => status)).toEqual([
        "rejected",
        "rejected",
        "fulfilled",
        "fulfilled",
        "fulfilled",
      ]);
      expect([await paid(), await receipted()]).toEqual([
        [3, 4, 5, 100],
        [3, 4, 5, 100],
      ]);
    });
  });

  it("fails a transaction that cannot begin, and the next one begins", async () => {
    const other = openHandle();
    other.exec("begin immediate");
    const results = await Promise.allSettled([pay(1), pay(2)]);
    const reasons = results.map((result) => result.status === "rejected" && result.reason);
    expect(reasons.map(({ code, cause }) => [code, cause.code])).toEqual([
      ["UNAVAILABLE", "SQLITE_BUSY"],
      ["UNAVAILABLE", "SQLITE_BUSY"],
    ]);
    expect(reasons.map(isRetryable)).toEqual([true, true]);
    other.exec("rollback");
    other.close();
    await pay(3);
    expect([await paid(), await receipted()]).toEqual([[3], [3]]);
  });

  it("fails the whole group when a member cannot begin its savepoint, and the next one begins", async () => {
    const prepare = writer.prepare.bind(writer);
    let failing = false;
    jest.spyOn(writer, "prepare").mockImplementation(((source: string) => {
      if (source !== "savepoint member") return prepare(source);
      const statement = prepare(source);
      return {
        run() {
          if (failing) throw new Error("no savepoint today");
          return statement.run();
        },
      };
    }) as typeof writer.prepare);
    const first = pay(1, async () => {
      failing = true;
    });
    const results = await Promise.allSettled([first, pay(2)]);
    expect(results.map((result) => result.status === "rejected" && result.reason.message)).toEqual([
      "no savepoint today",
      "no savepoint today",
    ]);
    failing = false;
    await pay(3);
    expect([await paid(), await receipted()]).toEqual([[3], [3]]);
  });

  it("prepares a statement once", async () => {
    const prepare = jest.spyOn(writer, "prepare");
    for (const id of range(3)) await pay(id);
    const prepared = prepare.mock.calls.map(([source]) => source);
    expect(prepared).toEqual([...new Set(prepared)]);
    expect(prepared.length).toBe(6);
  });

  it("drops prepared statements before they fill the memory", async () => {
    const prepare = jest.spyOn(writer, "prepare");
    const insert = (index: number) => sql`insert into receipts (payment) values (${sql.lit(index)})`.execute(db);
    for (const index of range(1_100)) await insert(index);
    prepare.mockClear();
    await insert(1);
    expect(prepare.mock.calls).toEqual([["insert into receipts (payment) values (1)"]]);
    expect((await receipted()).length).toBe(1_101);
  });
});
