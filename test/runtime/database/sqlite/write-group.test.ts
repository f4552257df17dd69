import { runAlone } from "../../../../src/runtime/basis/inside-change.ts";
import { createMetrics } from "../../../../src/runtime/process/metrics.ts";
import { PaymentsStore, range, restOfTurn, turn } from "./payments-store.ts";

describe("write transactions that commit together", () => {
  const store = new PaymentsStore();
  const { countOf, openHandle, paid, pay, receipted } = store;

  it("lets transactions that wait for each other share one commit", async () => {
    await Promise.all(range(20).map((id) => pay(id, turn)));
    expect(await paid()).toEqual(range(20));
    expect([countOf("savepoint member"), countOf("begin immediate"), countOf("commit")]).toEqual([20, 1, 1]);
  });

  it("lets single statements share one commit too", async () => {
    await Promise.all(range(20).map((payment) => store.db.insertInto("receipts").values({ payment }).execute()));
    expect(await receipted()).toEqual(range(20));
    expect([countOf("commit"), countOf("savepoint member")]).toEqual([1, 0]);
  });

  it("keeps nothing of a single statement that fails in its second row, and all of those that share its commit", async () => {
    const notes = (...ids: readonly number[]) =>
      store.db
        .insertInto("payments")
        .values(ids.map((id) => ({ id, note: "one" })))
        .execute();
    const results = await Promise.allSettled([pay(1), notes(2), notes(3, 1, 4), notes(5), pay(6)]);
    const failures = results.map((result) => result.status === "rejected" && result.reason.code);
    expect(failures).toEqual([false, false, "SQLITE_CONSTRAINT_PRIMARYKEY", false, false]);
    expect([await paid(), countOf("commit")]).toEqual([[1, 2, 5, 6], 1]);
  });

  it("commits a group of 64 though more are waiting, so that the first one is not delayed", async () => {
    await Promise.all(range(130).map((id) => pay(id)));
    expect(await paid()).toEqual(range(130));
    expect(countOf("commit")).toBe(3);
  });

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
    store.now = 10;
    await turn();
    expect(countOf("commit")).toBe(1);
    await Promise.all(members);
  });

  it("commits when a member leaves a group that has been open for 50 ms, though others wait", async () => {
    const slow = (id: number) =>
      pay(id, async () => {
        store.now += 30;
      });
    await Promise.all([slow(1), slow(2), slow(3), slow(4)]);
    expect([await paid(), countOf("commit")]).toEqual([[1, 2, 3, 4], 2]);
  });

  describe("what wants to be called before a commit (decision 0075)", () => {
    /** A member that begins another one when it is called. */
    const payWith = (id: number, later: () => Promise<unknown>) => {
      const called = Promise.withResolvers<unknown>();
      const first = pay(id, async () => store.dialect.beforeCommit(() => called.resolve(later())));
      return Promise.all([first, called.promise]);
    };

    it("shares it with what the call begins", async () => {
      await payWith(1, () => pay(2));
      expect([await paid(), countOf("commit")]).toEqual([[1, 2], 1]);
    });

    it("is called once, though what was called asks too", async () => {
      const again = jest.fn();
      await payWith(1, () => pay(2, async () => store.dialect.beforeCommit(again)));
      expect([again.mock.calls, await paid(), countOf("commit")]).toEqual([[], [1, 2], 1]);
    });

    it("is not called where several share the commit: it would keep all of them waiting", async () => {
      const called = jest.fn();
      const asking = (id: number) => pay(id, async () => store.dialect.beforeCommit(called));
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
          store.now += ms;
          store.dialect.beforeCommit(called);
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
      store.writer.pragma(`max_page_count = ${store.writer.pragma("page_count", { simple: true })}`);
      const called = Promise.withResolvers<unknown>();
      const first = pay(1, async () =>
        store.dialect.beforeCommit(() => called.resolve(pay(2, undefined, "x".repeat(20_000)))),
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

  it("counts commits, and the transactions that shared them; one without changes has no flush", async () => {
    const metrics = createMetrics();
    store.health.measure(metrics);
    await Promise.all(range(3).map((id) => pay(id)));
    await store.db.transaction().execute((tx) => tx.selectFrom("payments").select("id").execute());
    await store.db.deleteFrom("payments").where("id", "=", 99).execute();
    const page = await metrics.metrics();
    expect(page).toContain("gatehouse_store_commits_total 1\n");
    expect(page).toContain("gatehouse_store_transactions_total 3\n");
  });

  it("measures how long the disk flushes, once for all that share the flush", async () => {
    await store.db.destroy();
    store.openWriter();
    const measured = jest.spyOn(store.health, "waited");
    const flush = (ended: () => void) => {
      store.now += 30;
      setImmediate(ended);
    };
    store.drive({ reader: openHandle(), log: { flush, close: () => undefined } });
    await Promise.all(range(3).map((id) => pay(id)));
    await store.db.transaction().execute((tx) => tx.selectFrom("payments").select("id").execute());
    expect([await paid(), measured.mock.calls]).toEqual([[1, 2, 3], [[30]]]);
  });

  it("commits the open group when it is closed", async () => {
    const first = pay(1);
    await restOfTurn();
    await store.db.destroy();
    await first;
    store.writer = openHandle();
    expect(store.writer.prepare("select id from payments").pluck().all()).toEqual([1]);
    store.writer.close();
  });
});
