import { unavailable } from "../../../src/runtime/basis/errors.ts";
import { lockQueue, writeQueue } from "../../../src/runtime/database/lock-queue.ts";
import { eachStore, onPostgres } from "../../support/stores.ts";

eachStore((dialect, open) => {
  describe("transactions that want the same lock of the whole store (R-X410)", () => {
    it(`begin ${dialect === "sqlite" ? "at once" : "as many at a time as they may"}`, async () => {
      const { store } = await open();
      const inTurn = lockQueue(store.view(), 2);
      const over = Promise.withResolvers<void>();
      let begun = 0;
      const all = Array.from({ length: 3 }, () =>
        inTurn(() => {
          begun++;
          return over.promise;
        }),
      );
      await new Promise(setImmediate);
      expect(begun).toBe(dialect === "sqlite" ? 3 : 2);
      over.resolve();
      await Promise.all(all);
      expect(begun).toBe(3);
    });
  });
});

onPostgres((open) => {
  it("are not begun for a caller that gave up while they waited (R-X410)", async () => {
    const { store } = await open();
    const inTurn = lockQueue(store.view(), 1);
    const over = Promise.withResolvers<void>();
    const first = inTurn(() => over.promise);
    const caller = new AbortController();
    const second = inTurn(() => Promise.resolve("begun"), caller.signal);
    caller.abort();
    over.resolve();
    await first;
    await expect(second).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(inTurn(() => Promise.resolve("begun"))).resolves.toBe("begun");
  });
});

describe("writes that may wait for a locked row (R-X411)", () => {
  const queueOf = (most: number, waitMs = 60_000, lockMs = 0) => writeQueue({ connections: { most, waitMs, lockMs } });
  /** As the store's driver fails a statement that waited for a lock for too long. */
  const locked = () => unavailable("locked", { cause: Object.assign(new Error("locked"), { code: "55P03" }) });

  it.each([
    [2, 1],
    [3, 1],
    [10, 4],
    [11, 5],
    [200, 99],
  ])("of %s connections have at most %s", async (most, atOnce) => {
    const inTurn = queueOf(most);
    const over = Promise.withResolvers<void>();
    let begun = 0;
    const all = Array.from({ length: most }, () =>
      inTurn(() => {
        begun++;
        return over.promise;
      }),
    );
    await new Promise(setImmediate);
    expect(begun).toBe(atOnce);
    over.resolve();
    await Promise.all(all);
    expect(begun).toBe(most);
  });

  it("all begin at once where one writer keeps an order already", async () => {
    const inTurn = writeQueue({});
    const over = Promise.withResolvers<void>();
    const begun: number[] = [];
    const all = [1, 2, 3].map((number) =>
      inTurn(() => {
        begun.push(number);
        return over.promise;
      }),
    );
    expect(begun).toEqual([1, 2, 3]);
    over.resolve();
    await Promise.all(all);
  });

  it("give their turn to those behind them while what they want is locked, and begin again one at a time", async () => {
    const inTurn = queueOf(2);
    let isLocked = true;
    const order: string[] = [];
    const wanting = async (name: string) => {
      await new Promise(setImmediate);
      order.push(name);
      if (isLocked) throw locked();
      return name;
    };
    const all = ["first", "second"].map((name) => inTurn(() => wanting(name)));
    const other = inTurn(async () => order.push("other"));
    await other;
    expect(order.toSorted()).toEqual(["first", "other", "second"]);
    isLocked = false;
    expect(await Promise.all(all)).toEqual(["first", "second"]);
    expect(order.slice(-2)).toEqual(["first", "second"]);
  });

  it("never have more turns for what is locked than one, once it was met", async () => {
    const inTurn = queueOf(10);
    const over = Promise.withResolvers<void>();
    const met = new Set<number>();
    let again = 0;
    const all = Array.from({ length: 8 }, (_, number) =>
      inTurn(async () => {
        if (!met.has(number)) {
          met.add(number);
          throw locked();
        }
        again++;
        await over.promise;
      }),
    );
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect([met.size, again]).toEqual([8, 1]);
    over.resolve();
    await Promise.all(all);
    expect(again).toBe(8);
  });

  it("are refused when what they want is still locked after that time", async () => {
    const failure = locked();
    let tries = 0;
    const refused = queueOf(
      10,
      50,
    )(async () => {
      tries++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw failure;
    });
    await expect(refused).rejects.toBe(failure);
    expect(tries).toBeGreaterThan(1);
  });

  it.each<[string, number, () => Error]>([
    ["of a lock that took longer than the role's own limit", 500, locked],
    ["of another error", 0, () => new Error("another")],
  ])("are refused at once because %s", async (_, lockMs, error) => {
    const failure = error();
    let tries = 0;
    const refused = queueOf(
      10,
      60_000,
      lockMs,
    )(async () => {
      tries++;
      throw failure;
    });
    await expect(refused).rejects.toBe(failure);
    expect(tries).toBe(1);
  });

  it("are refused when their turn does not come in time, and those after them are not", async () => {
    const inTurn = queueOf(2, 50);
    const over = Promise.withResolvers<void>();
    const first = inTurn(() => over.promise);
    let begun = false;
    const late = inTurn(async () => {
      begun = true;
    });
    await expect(late).rejects.toMatchObject({ code: "UNAVAILABLE", reason: "unavailable" });
    over.resolve();
    await first;
    await expect(inTurn(() => Promise.resolve("begun"))).resolves.toBe("begun");
    expect(begun).toBe(false);
  });
});
