import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "./log.ts";
import { Gauge, type Metrics } from "./metrics.ts";

/** Work that goes on for as long as the process lives, until the signal is aborted. Returning early or throwing restarts it. */
export interface Loop {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** Waits, or returns at once when the signal is aborted; never throws. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Runs loops until `stop`, restarting one that fails after a pause that doubles from 0.1 s to 10 s. `stop` aborts them and waits for all.
 */
export function superviseLoops(
  loops: readonly Loop[],
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
) {
  const failing = failingGauge(metrics);
  const ending = new AbortController();

  const supervise = async (loop: Loop): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!ending.signal.aborted) {
      // A loop that has run well for a while is no longer failing, and starts with the short pause again.
      const well = setTimeout(() => {
        failing.set({ loop: loop.name }, 0);
        pauseMs = FIRST_PAUSE_MS;
      }, LONGEST_PAUSE_MS);
      try {
        await loop.run(ending.signal);
        failing.set({ loop: loop.name }, 0);
      } catch (error) {
        if (ending.signal.aborted) return;
        failing.set({ loop: loop.name }, 1);
        // The first failure of a row says what is wrong; the gauge says for how long.
        log[pauseMs === FIRST_PAUSE_MS ? "error" : "debug"]("A loop failed and will be restarted.", {
          loop: loop.name,
          error,
        });
      } finally {
        clearTimeout(well);
      }
      await pause(pauseMs, ending.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };

  const running = loops.map(supervise);
  return {
    async stop(): Promise<void> {
      ending.abort();
      await Promise.all(running);
    },
  };
}

/** One process may supervise twice (services and worker together): the gauge is shared. */
function failingGauge(metrics: Metrics): Gauge<"loop"> {
  const name = "gatehouse_loop_failing";
  return (
    (metrics.getSingleMetric(name) as Gauge<"loop"> | undefined) ??
    new Gauge({
      name,
      help: "1 from a loop's failure until it has run well for ten seconds.",
      labelNames: ["loop"],
      registers: [metrics],
    })
  );
}
