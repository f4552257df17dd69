import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { runAlone } from "../../../../src/runtime/basis/inside-change.ts";
import { isRetryable } from "../../../../src/runtime/database/database.ts";
import { PaymentsStore, range, turn } from "./payments-store.ts";

describe("the writing handle", () => {
  const store = new PaymentsStore();
  const { countOf, openHandle, paid, pay, receipted } = store;

  describe("when a commit fails", () => {
    let code: string | undefined;
    const flushFailures: unknown[] = [];
    let inPlace: boolean;

    beforeEach(async () => {
      await store.db.destroy();
      code = undefined;
      inPlace = true;
      flushFailures.length = 0;
      store.openWriter();
      const prepare = store.writer.prepare.bind(store.writer);
      jest.spyOn(store.writer, "prepare").mockImplementation(((source: string) => {
        const statement = prepare(source);
        if (source !== "commit") return statement;
        return {
          run() {
            if (code !== undefined) throw Object.assign(new Error("the commit fails"), { code });
            return statement.run();
          },
        };
      }) as typeof store.writer.prepare);
      const onFlushFailed = (error: unknown) => void flushFailures.push(error);
      const isInPlace = () => inPlace;
      store.drive({ reader: openHandle(), isInPlace, onFlushFailed });
    });

    const failures = async (members: readonly Promise<unknown>[]) =>
      (await Promise.allSettled(members)).map((one) => one.status === "rejected" && one.reason.detail);

    it("fails every transaction that shared it, keeps none of their writes, and leaves later ones alone", async () => {
      code = "SQLITE_FULL";
      expect(await failures([pay(1), pay(2), pay(3)])).toEqual(["store: full", "store: full", "store: full"]);
      expect([await paid(), store.health.trouble]).toEqual([[], "full"]);
      code = undefined;
      await pay(4);
      expect([await paid(), await receipted(), store.health.trouble]).toEqual([[4], [4], undefined]);
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
        expect([await paid(), store.health.trouble]).toEqual([[1], "disk"]);
        expect(flushFailures).toEqual([expect.objectContaining({ code: flush })]);
      },
    );

    it("commits nothing into a file that a later start would not find", async () => {
      inPlace = false;
      expect(await failures([pay(1)])).toEqual(["store: away"]);
      inPlace = true;
      await pay(2);
      expect([await paid(), store.health.trouble]).toEqual([[2], undefined]);
    });
  });

  it("acknowledges a member only after the commit that makes it durable", async () => {
    const told: string[] = [];
    store.writer.function("noted", () => 0);
    await Promise.all(
      range(3).map((id) => pay(id, turn).then(() => told.push(`${id} after ${countOf("commit")} commit`))),
    );
    expect(told).toEqual(["1 after 1 commit", "2 after 1 commit", "3 after 1 commit"]);
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
      // SQLite's temporary files have no name, or none any more. Those of earlier suites in this process may close meanwhile.
      const unnamedFiles = () =>
        readdirSync("/proc/self/fd")
          .map(targetOf)
          .filter((target) => target.endsWith(" (deleted)"));
      const unnamedBefore = new Set(unnamedFiles());
      const found: number[] = [];
      const rewrite = (letter: string) =>
        store.db.transaction().execute(async (tx) => {
          await tx
            .updateTable("payments")
            .set({ note: letter.repeat(4_000) })
            .execute();
          found.push(unnamedFiles().filter((target) => !unnamedBefore.has(target)).length);
        });
      await Promise.all(range(64).map((id) => pay(id, undefined, "x".repeat(4_000))));
      await rewrite("y");
      await runAlone(() => rewrite("z"));
      await rewrite("y");
      expect(found).toEqual([0, 1, 0]);
    },
  );

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
      const pages = store.writer.pragma("page_count", { simple: true }) as number;
      store.writer.pragma(`max_page_count = ${pages + 8}`);
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
      const failing = store.db.transaction().execute(async (tx) => {
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
      const swallowing = store.db.transaction().execute(async (tx) => {
        await tx
          .insertInto("payments")
          .values({ id: 1, note: LARGE.repeat(4) })
          .execute()
          .catch(() => undefined);
      });
      await expect(swallowing).rejects.toMatchObject(ENDED_FOR_SPACE);
      expect(await paid()).toEqual([100]);
    });

    it("fails a single statement with its group, and leaves later ones alone", async () => {
      const note = (id: number, text: string) => store.db.insertInto("payments").values({ id, note: text }).execute();
      const results = await Promise.allSettled([pay(1), note(2, LARGE.repeat(4))]);
      expect(results.map((result) => result.status === "rejected" && result.reason.detail)).toEqual([
        "store: full",
        "store: full",
      ]);
      await note(3, "short");
      expect([await paid(), await receipted(), store.health.trouble]).toEqual([[3, 100], [100], undefined]);
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
    const prepare = store.writer.prepare.bind(store.writer);
    let failing = false;
    jest.spyOn(store.writer, "prepare").mockImplementation(((source: string) => {
      if (source !== "savepoint member") return prepare(source);
      const statement = prepare(source);
      return {
        run() {
          if (failing) throw new Error("no savepoint today");
          return statement.run();
        },
      };
    }) as typeof store.writer.prepare);
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
});
