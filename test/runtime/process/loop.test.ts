import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import timers, { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../../src/runtime/basis/errors.ts";
import { type Loop, pause, superviseLoops, withoutDeadline } from "../../../src/runtime/process/loop.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { deadlineExceeded } from "../../../src/runtime/rpc/call.ts";
import { recordedLog } from "../../support/recorded-log.ts";

describe("supervised loops", () => {
  const supervise = (...loops: readonly Loop[]) => superviseWith({}, ...loops);
  const superviseWith = (options: { readonly longestWaitMs?: number }, ...loops: readonly Loop[]) => {
    const log = recordedLog();
    const metrics = createMetrics();
    const supervision = superviseLoops(loops, { log, metrics, ...options });
    const failing = async () => (await metrics.getSingleMetricAsString("gatehouse_loop_failing")).match(/\{.*/g);
    return { log, metrics, failing, ...supervision };
  };

  it("runs until it is stopped, and waits for the loop's end", async () => {
    let ended = false;
    const { stop, log } = supervise({
      name: "relay",
      async run(signal) {
        await pause(60_000, signal);
        await nextTurn();
        ended = true;
      },
    });
    await stop();
    expect(ended).toBe(true);
    expect(log.lines).toEqual([]);
  });

  it("restarts a loop that fails, says so in log and gauge, and leaves the others alone", async () => {
    const well = Promise.withResolvers<void>();
    let runs = 0;
    let otherRuns = 0;
    const { stop, log, failing } = supervise(
      {
        name: "relay",
        async run(signal) {
          runs++;
          if (runs < 3) throw new Error(`failure ${runs}`);
          well.resolve();
          await pause(60_000, signal);
        },
      },
      {
        name: "sweep",
        async run(signal) {
          otherRuns++;
          await pause(60_000, signal);
        },
      },
    );
    await well.promise;
    const gauge = await failing();
    await stop();
    expect(log.lines.map(({ level, fields }) => [level, fields.loop, (fields.error as Error).message])).toEqual([
      ["error", "relay", "failure 1"],
      // Those that follow say nothing new.
      ["debug", "relay", "failure 2"],
    ]);
    expect(gauge).toContain('{loop="relay"} 1');
    expect([runs, otherRuns]).toEqual([3, 1]);
  });

  it("restarts a loop that returns early", async () => {
    const again = Promise.withResolvers<void>();
    let runs = 0;
    const { stop } = supervise({
      name: "relay",
      async run() {
        runs++;
        if (runs === 2) again.resolve();
      },
    });
    await again.promise;
    await stop();
    expect(runs).toBeGreaterThanOrEqual(2);
  });

  /** How long a loop pauses after each of nine failures. */
  const pausesOf = async (failure: Error, options: Parameters<typeof superviseWith>[0] = {}) => {
    const waitsMs: unknown[] = [];
    const enough = Promise.withResolvers<void>();
    const { setTimeout: wait } = timers;
    const spy = jest.spyOn(timers, "setTimeout").mockImplementation((ms, value, options) => {
      waitsMs.push(ms);
      if (waitsMs.length < 9) return Promise.resolve(value) as never;
      enough.resolve();
      return wait(ms, value, options) as never;
    });
    try {
      const { stop } = superviseWith(options, {
        name: "relay",
        async run() {
          throw failure;
        },
      });
      await enough.promise;
      await stop();
      return waitsMs;
    } finally {
      spy.mockRestore();
    }
  };
  const DOUBLING_MS = [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000];

  it("waits twice as long after each failure, from 0.1 s to 10 s", async () => {
    expect(await pausesOf(new Error("again"))).toEqual(DOUBLING_MS);
  });

  const away = new Failure("UNAVAILABLE", "store_away", "The store is away.");

  it("waits no longer than it is told for what is away, where nobody says that it is back", async () => {
    for (const failure of [away, deadlineExceeded()])
      expect(await pausesOf(failure, { longestWaitMs: 1_000 })).toEqual([100, 200, 400, 800, ...Array(5).fill(1_000)]);
    expect(await pausesOf(new Error("a fault of ours"), { longestWaitMs: 1_000 })).toEqual(DOUBLING_MS);
  });

  it("lets loops that wait for what was away go on at once when another loop says that it is back (R-X175)", async () => {
    const failures = { relay: 0, broken: 0 };
    let isAway = true;
    const back = Promise.withResolvers<void>();
    const relayed = Promise.withResolvers<void>();
    const { stop } = supervise(
      {
        name: "relay",
        async run(signal) {
          if (isAway) {
            failures.relay++;
            throw away;
          }
          relayed.resolve();
          await pause(60_000, signal);
        },
      },
      {
        name: "broken",
        async run() {
          failures.broken++;
          throw new Error("a fault of ours");
        },
      },
      {
        name: "watch",
        async run(signal, _, goOn) {
          await back.promise;
          goOn?.();
          await pause(60_000, signal);
        },
      },
    );
    // After the fifth failure a loop pauses for 1.6 s.
    while (failures.relay < 5 || failures.broken < 5) await sleep(10);
    isAway = false;
    const backAt = performance.now();
    back.resolve();
    await relayed.promise;
    const tookMs = performance.now() - backAt;
    await stop();
    expect(tookMs).toBeLessThan(1_000);
    expect(failures).toEqual({ relay: 5, broken: 5 });
  });

  it("does not count the end of an aborted wait as a failure", async () => {
    const { stop, log } = supervise({ name: "relay", run: (signal) => sleep(60_000, undefined, { signal }) });
    await stop();
    expect(log.lines).toEqual([]);
  });

  it("shows a loop as healthy again when it has run for a while", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "performance"] });
    try {
      let runs = 0;
      const { stop, failing } = supervise({
        name: "relay",
        async run(signal) {
          runs++;
          if (runs === 1) throw new Error("once");
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        },
      });
      while (runs < 2)
        await jest.advanceTimersByTimeAsync(50).then(() => new Promise((resolve) => setImmediate(resolve)));
      const before = await failing();
      await jest.advanceTimersByTimeAsync(10_000);
      const after = await failing();
      await stop();
      expect([before, after]).toEqual([['{loop="relay"} 1'], ['{loop="relay"} 0']]);
    } finally {
      jest.useRealTimers();
    }
  });

  describe("a loop with passes runs well from the first that succeeds (R-X175)", () => {
    /** Runs a loop that waits for a minute before each pass, and is ended after so many waits, which take no time and count in full. */
    const afterWaits = async (waits: number, passes: (count: number) => Promise<void>) => {
      jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "performance"] });
      const enough = Promise.withResolvers<void>();
      let waited = 0;
      const spy = jest.spyOn(timers, "setTimeout").mockImplementation(async (ms, value) => {
        if (++waited > waits) {
          enough.resolve();
          await Promise.withResolvers().promise;
        }
        jest.advanceTimersByTime(ms ?? 0);
        return value as never;
      });
      let count = 0;
      try {
        const { log, failing } = supervise({
          name: "sizes",
          async run(signal, pass = withoutDeadline(signal)) {
            while (!signal.aborted) {
              await pause(60_000, signal);
              await pass(() => passes(++count));
            }
          },
        });
        await enough.promise;
        return { levels: log.lines.map(({ level }) => level), gauge: await failing() };
      } finally {
        spy.mockRestore();
        jest.useRealTimers();
      }
    };
    const failed = async () => {
      throw new Error("The store is away.");
    };

    it("not while it only waits for a pass that fails each time", async () => {
      expect(await afterWaits(6, failed)).toEqual({
        levels: ["error", "debug", "debug"],
        gauge: ['{loop="sizes"} 1'],
      });
    });

    it("ten seconds after it, so that a new failure is logged again", async () => {
      const everySecondFails = (count: number) => (count % 2 === 0 ? failed() : Promise.resolve());
      expect(await afterWaits(5, everySecondFails)).toEqual({
        levels: ["error", "error"],
        gauge: ['{loop="sizes"} 1'],
      });
      expect(await afterWaits(5, (count) => (count === 1 ? failed() : Promise.resolve()))).toEqual({
        levels: ["error"],
        gauge: ['{loop="sizes"} 0'],
      });
    });
  });

  describe("passes have a deadline (R-X183)", () => {
    const late = async ({ metrics }: ReturnType<typeof supervise>) =>
      (await metrics.getSingleMetricAsString("gatehouse_loop_late")).match(/\{.*/g);

    it("abandons a pass that hangs, says so once, and starts the loop again", async () => {
      const hanging = Promise.withResolvers<void>();
      const well = Promise.withResolvers<void>();
      let runs = 0;
      const abandoned: AbortSignal[] = [];
      const supervised = supervise({
        name: "relay",
        passMs: 20,
        async run(signal, pass = withoutDeadline(signal)) {
          runs++;
          if (runs <= 2) {
            await pass((until) => {
              abandoned.push(until);
              return hanging.promise;
            });
          }
          well.resolve();
          await pause(60_000, signal);
        },
      });
      await well.promise;
      const told = supervised.log.lines.filter(({ level }) => level === "warn").map(({ fields }) => fields.loop);
      const [gauge, health] = [await late(supervised), await supervised.check.check()];
      await supervised.stop();
      expect(abandoned.map(({ aborted }) => aborted)).toEqual([true, true]);
      expect({ told, gauge, health }).toEqual({ told: ["relay"], gauge: ['{loop="relay"} 1'], health: "late: relay" });
      // Health is degraded: the process goes on answering, and no balancer takes it away.
      expect(supervised.check.degrades).toBe(true);
    });

    it("is on time again as soon as a pass ends in time", async () => {
      const well = Promise.withResolvers<void>();
      let runs = 0;
      const supervised = supervise({
        name: "relay",
        passMs: 20,
        async run(signal, pass = withoutDeadline(signal)) {
          runs++;
          await pass(() => (runs === 1 ? new Promise(() => undefined) : Promise.resolve()));
          well.resolve();
          await pause(60_000, signal);
        },
      });
      await well.promise;
      const [gauge, health] = [await late(supervised), await supervised.check.check()];
      await supervised.stop();
      expect({ gauge, health }).toEqual({ gauge: ['{loop="relay"} 0'], health: undefined });
    });

    it("signals a running pass when its loop is stopped", async () => {
      const begun = Promise.withResolvers<void>();
      const { stop, log } = supervise({
        name: "relay",
        run: (signal, pass = withoutDeadline(signal)) =>
          pass((until) => {
            begun.resolve();
            return pause(60_000, until);
          }),
      });
      await begun.promise;
      await stop();
      expect(log.lines).toEqual([]);
    });

    it("covers every loop of the product: each waits in passes", () => {
      const source = join(import.meta.dirname, "../../../src");
      const files = globSync("**/*.ts", { cwd: source }).map((path) => readFileSync(join(source, path), "utf8"));
      const loops = files.filter((text) => /\brun\(signal\b/.test(text) && text.includes("process/loop.ts"));
      expect(loops.length).toBeGreaterThan(11);
      expect(loops.filter((text) => !text.includes("run(signal, pass = withoutDeadline(signal)"))).toEqual([]);
    });
  });

  it("can be started twice in one process: services and worker together", async () => {
    const metrics = createMetrics();
    const begin = (name: string) =>
      superviseLoops([{ name, run: (signal) => pause(60_000, signal) }], { log: recordedLog(), metrics });
    const both = [begin("relay"), begin("dispatch")];
    await Promise.all(both.map(({ stop }) => stop()));
    expect(metrics.getSingleMetric("gatehouse_loop_failing")).toBeDefined();
  });
});
