import timers from "node:timers/promises";
import { Failure } from "../../src/runtime/basis/errors.ts";
import { storeClock } from "../../src/runtime/database/store-clock.ts";
import { lastUsesLoop } from "../../src/runtime/process/last-uses.ts";
import { type Loop, superviseLoops } from "../../src/runtime/process/loop.ts";
import { createMetrics } from "../../src/runtime/process/metrics.ts";
import { deadlineExceeded } from "../../src/runtime/rpc/call.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { onPostgres } from "../support/stores.ts";

/** What a loop logs until it has waited so often, and what its gauge says then; each wait takes no time, and counts in full. */
async function linesOf(loop: Loop, waits: number) {
  const log = recordedLog();
  const metrics = createMetrics();
  const enough = Promise.withResolvers<void>();
  jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "performance"] });
  let waited = 0;
  const spy = jest.spyOn(timers, "setTimeout").mockImplementation(async (ms) => {
    if (++waited > waits) {
      enough.resolve();
      await Promise.withResolvers().promise;
    }
    jest.advanceTimersByTime(ms ?? 0);
    return undefined as never;
  });
  try {
    superviseLoops([loop], { log, metrics });
    await enough.promise;
    const gauge = (await metrics.getSingleMetricAsString("gatehouse_loop_failing")).match(/\{.*/g);
    return { levels: log.lines.map(({ level }) => level), gauge };
  } finally {
    spy.mockRestore();
    jest.useRealTimers();
  }
}

describe("a loop that works now and then, while the store is away, has one line in the log and is failing all the time (R-X175)", () => {
  it("writes down when keys were used", async () => {
    const away = new Failure("UNAVAILABLE", "store_away", "The store is away.");
    const loop = lastUsesLoop("api-key-uses", { flush: () => Promise.reject(away) });
    expect(await linesOf(loop, 21)).toEqual({
      levels: ["warn", ...Array(10).fill("debug")],
      gauge: ['{loop="api-key-uses"} 1'],
    });
  });

  it("asks services, which do not answer in time", async () => {
    const loop: Loop = { name: "asks", run: () => Promise.reject(deadlineExceeded()) };
    expect(await linesOf(loop, 21)).toEqual({
      levels: ["warn", ...Array(21).fill("debug")],
      gauge: ['{loop="asks"} 1'],
    });
  });

  onPostgres((open) => {
    it("compares the clocks", async () => {
      const { store } = await open();
      const { loops } = await storeClock(store, createMetrics());
      await store.close();
      const [loop] = loops as readonly [Loop];
      expect(await linesOf(loop, 21)).toEqual({
        levels: ["error", ...Array(10).fill("debug")],
        gauge: ['{loop="store-clock"} 1'],
      });
    });
  });
});
