import { existsSync, statSync } from "node:fs";
import { sql } from "kysely";
import { runAlone } from "../../../../src/runtime/basis/inside-change.ts";
import { followed, PaymentsStore, range, restOfTurn, turn } from "./payments-store.ts";

describe("a commit whose log is flushed by us (decision 0076)", () => {
  let underWay: ((error?: Error) => void)[];

  // Before the store is closed, which waits for them.
  afterEach(() => {
    jest.useRealTimers();
    for (const end of underWay) end();
  });

  const store = new PaymentsStore();
  const { countOf, openHandle, paid, pay } = store;
  const flushFailures: unknown[] = [];
  const ioError = () => Object.assign(new Error("the flush fails"), { code: "SQLITE_IOERR_FSYNC" });

  beforeEach(async () => {
    // Kysely closes nothing that was never used.
    await paid();
    await store.db.destroy();
    underWay = [];
    flushFailures.length = 0;
    store.openWriter();
    store.writer.pragma("synchronous = normal");
    store.writer.pragma("wal_autocheckpoint = 0");
    const log = {
      flush: (ended: (error?: Error) => void) => void underWay.push(ended),
      close: () => undefined,
    };
    const onFlushFailed = (error: unknown) => void flushFailures.push(error);
    store.drive({ reader: openHandle({ readonly: true }), log, onFlushFailed });
  });

  /** Until the flush of the group is under way, or the group was committed otherwise. */
  const someTurns = async () => {
    for (let count = 0; count < 6; count++) await turn();
  };
  const endFlush = (error?: Error) => underWay.shift()?.(error);

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
    const looked = followed(store.db.transaction().execute((tx) => tx.selectFrom("payments").select("id").execute()));
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
    const nothing = followed(store.db.deleteFrom("payments").where("id", "=", 99).execute());
    await someTurns();
    expect([nothing.is, underWay.length]).toEqual(["acknowledged", 0]);
    const index = followed(sql`create index notes on payments (note)`.execute(store.db));
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
    const work = store.dialect.quietly(() => seen.push([store.writer.inTransaction, underWay.length]));
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
    const done = store.dialect.insteadOfFlush(0, () => work.promise);
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
    await expect(store.dialect.insteadOfFlush(0, () => Promise.reject(full))).rejects.toMatchObject({
      detail: "store: full",
    });
    expect([store.health.trouble, flushFailures.length]).toEqual(["full", 0]);
    const second = followed(pay(2));
    await someTurns();
    endFlush();
    await someTurns();
    expect([second.is, store.health.trouble]).toEqual(["acknowledged", undefined]);
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
    expect([await paid(), await paid(), store.health.trouble, flushFailures.length]).toEqual([[1], [1], "disk", 1]);
    await store.db.destroy();
    // A start is to read the log as the disk has it.
    expect(existsSync(`${store.path}-wal`)).toBe(true);
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
    expect([await paid(), store.health.trouble]).toEqual([[], "hangs"]);
    endFlush();
    await someTurns();
    expect([first.is, await paid(), store.health.trouble]).toEqual(["acknowledged", [1], undefined]);
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
    const before = [long.is, store.health.trouble];
    jest.advanceTimersByTime(300);
    await someTurns();
    expect([before, long.is, store.health.trouble]).toEqual([["waiting", undefined], "waiting", "hangs"]);
    endFlush();
    await someTurns();
    expect([long.is, store.health.trouble]).toEqual(["acknowledged", undefined]);
    const small = followed(runAlone(() => pay(2)));
    await someTurns();
    jest.advanceTimersByTime(5_100);
    await someTurns();
    expect([small.is, store.health.trouble]).toEqual(["waiting", "hangs"]);
    endFlush();
  });

  it("keeps a member waiting that fails, since it may have failed because of what is not flushed yet", async () => {
    const first = followed(pay(1));
    await someTurns();
    const single = followed(store.db.insertInto("payments").values({ id: 1, note: "again" }).execute());
    const several = followed(
      store.db.transaction().execute(async (tx) => {
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
    const again = followed(store.db.insertInto("payments").values({ id: 1, note: "again" }).execute());
    const gate = Promise.withResolvers<void>();
    const atWork = followed(
      store.db.transaction().execute(async (tx) => {
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
    const look = store.dialect.quietly(() => {
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
      const ending = store.dialect.close().then(() => {
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
      expect([second.is, flushFailures.length, existsSync(`${store.path}-wal`)]).toEqual(["store: disk", 1, true]);
    });

    it("be it of a long change that comes at the last moment", async () => {
      const first = followed(pay(1));
      await someTurns();
      const { state, ending } = closing();
      const long = followed(runAlone(() => store.db.insertInto("payments").values({ id: 2, note: "" }).execute()));
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
    const exporting = followed(store.dialect.quietly(() => "export"));
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
    const closed = store.db.destroy();
    await someTurns();
    expect(members.map(({ is }) => is)).toEqual(["waiting", "waiting"]);
    endFlush();
    await someTurns();
    endFlush();
    await closed;
    expect([members.map(({ is }) => is), existsSync(`${store.path}-wal`)]).toEqual([
      ["acknowledged", "acknowledged"],
      false,
    ]);
  });

  it("is waited for when the store is closed while something quiet waits for it", async () => {
    const members = [followed(pay(1))];
    await someTurns();
    members.push(followed(pay(2)));
    await someTurns();
    const quiet = store.dialect.quietly(() => undefined);
    const closed = store.db.destroy();
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
    expect([first.is, gathered.is, store.health.trouble]).toEqual(["acknowledged", "acknowledged", undefined]);
  });

  it("shows nobody what is not flushed when the system ends the read that hides it", async () => {
    await store.db.destroy();
    store.writer = openHandle();
    store.writer.pragma("synchronous = normal");
    const reader = openHandle({ readonly: true });
    let isFailing = false;
    reader.function("met", () => {
      if (!isFailing) return 1;
      // As SQLite does when it cannot read (SQLITE_IOERR_READ).
      throw Object.assign(new Error("cannot read"), { code: "SQLITE_IOERR_READ" });
    });
    store.drive({ reader, log: { flush: (ended) => void underWay.push(ended), close: () => undefined } });
    const first = followed(pay(1));
    await someTurns();
    expect(await paid()).toEqual([]);
    isFailing = true;
    reader.exec("commit");
    await expect(sql`select met()`.execute(store.db)).rejects.toMatchObject({ detail: "store: disk" });
    isFailing = false;
    await expect(paid()).rejects.toMatchObject({ detail: "store: disk" });
    endFlush();
    await someTurns();
    expect([first.is, await paid()]).toEqual(["acknowledged", [1]]);
  });

  describe("lets the log be copied", () => {
    const LARGE = "x".repeat(40_000);
    const logBytes = () => statSync(`${store.path}-wal`).size;
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
