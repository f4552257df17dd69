import { lockQueue } from "../../../src/runtime/database/lock-queue.ts";
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
