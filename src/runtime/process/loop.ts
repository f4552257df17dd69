import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../basis/durations.ts";
import { Failure, isUnavailable } from "../basis/errors.ts";
import type { HealthCheck } from "./lifecycle.ts";
import type { Log } from "./log.ts";
import { Gauge, type Metrics } from "./metrics.ts";

/**
 * Runs one pass of a loop's work under the loop's deadline and returns its result. The signal is aborted when the
 * pass misses the deadline and when the loop is asked to end.
 * @throws Error when the pass misses its deadline: the pass is abandoned and the loop restarted.
 */
export type Pass = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Work that runs for the life of the process, until the signal is aborted. If it returns early or throws, it is
 * restarted.
 */
export interface Loop {
  readonly name: string;
  /** Deadline of one pass; a minute by default. */
  readonly passMs?: number;
  /**
   * Everything that may fail or hang is awaited inside `pass`. Without it, passes have no deadline. A loop that sees that
   * what was away is back calls `goOn`: the loops beside it that wait for it go on at once.
   */
  run(signal: AbortSignal, pass?: Pass, goOn?: () => void): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
const PASS_MS = 60_000;
/** For loops whose pass works through a backlog, or through lists that others can lengthen. */
export const LONG_PASS_MS = 15 * MINUTE_MS;
/** How long a pass may continue after the loop was asked to end. */
const LAST_PASS_MS = 8_000;

const NEVER = new AbortController().signal;

/** Passes for tests and tools that run a loop themselves. */
export const withoutDeadline =
  (signal: AbortSignal): Pass =>
  (work) =>
    work(signal);

/** Waits, or returns at once when the signal is aborted; never throws. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * The run of a loop that works, waits, and works again until its signal is aborted. It does not wait after work that
 * answers true: there is more.
 */
export const repeating =
  (everyMs: number, work: (pass: Pass) => Promise<boolean> | Promise<void>): Loop["run"] =>
  async (signal, pass = withoutDeadline(signal)) => {
    while (!signal.aborted) if (!(await work(pass))) await pause(everyMs, signal);
  };

interface Supervising {
  readonly log: Log;
  readonly metrics: Metrics;
  /** The longest pause of a loop that waits for a store or for services, where no loop says that they are back. */
  readonly longestWaitMs?: number;
}

/**
 * Runs loops until `stop`, restarting one that fails or is late after a pause that doubles from 0.1 s to 10 s, and is 0.1 s
 * again once the loop has run well: for ten seconds since its first pass that succeeded, or since its start if it has none. One that
 * failed because a store or services are away, or do not answer in time, waits until they are back, if one of the loops says so earlier. `stop`
 * aborts them and waits for all. The check is degraded while a loop is late.
 */
export function superviseLoops(
  loops: readonly Loop[],
  { log, metrics, longestWaitMs = LONGEST_PAUSE_MS }: Supervising,
) {
  const failing = gauge(metrics, {
    name: "gatehouse_loop_failing",
    help: "1 from a loop's failure until it has run well for ten seconds.",
  });
  const lateness = gauge(metrics, {
    name: "gatehouse_loop_late",
    help: "1 from a pass's missed deadline until a pass ends in time.",
  });
  const ending = new AbortController();
  const late = new Set<string>();
  let back = new AbortController();
  const goOn = () => {
    back.abort();
    back = new AbortController();
  };

  const passesOf = ({ name, passMs = PASS_MS }: Loop): Pass => {
    const isLate = () => {
      if (ending.signal.aborted) return;
      if (!late.has(name)) log.warn("A loop is late: its pass is abandoned, and it is started again.", { loop: name });
      late.add(name);
      lateness.set({ loop: name }, 1);
    };
    return async (work) => {
      const result = await withinTime(work, { ms: passMs, ending: ending.signal, isLate });
      late.delete(name);
      lateness.set({ loop: name }, 0);
      return result;
    };
  };

  const supervise = async (loop: Loop): Promise<void> => {
    const inTime = passesOf(loop);
    let pauseMs = FIRST_PAUSE_MS;
    let hasPasses = false;
    let well: NodeJS.Timeout | undefined;
    const beginWell = () => {
      well ??= setTimeout(() => {
        failing.set({ loop: loop.name }, 0);
        pauseMs = FIRST_PAUSE_MS;
      }, LONGEST_PAUSE_MS);
    };
    const pass: Pass = async (work) => {
      hasPasses = true;
      const result = await inTime(work);
      beginWell();
      return result;
    };
    while (!ending.signal.aborted) {
      let isWaiting = false;
      // A loop that has passes may wait as long as it likes before the first: waiting proves nothing.
      if (!hasPasses) beginWell();
      try {
        await loop.run(ending.signal, pass, goOn);
        failing.set({ loop: loop.name }, 0);
      } catch (error) {
        if (ending.signal.aborted) return;
        failing.set({ loop: loop.name }, 1);
        // Of consecutive failures the first is logged; the gauge shows how long they last.
        const isFirst = pauseMs === FIRST_PAUSE_MS;
        isWaiting = isUnavailable(error) || (error instanceof Failure && error.code === "DEADLINE_EXCEEDED");
        // A store or services that are away fail every loop at once: a line for each, without where it was thrown.
        if (isWaiting)
          log[isFirst ? "warn" : "debug"]("A loop waits.", { loop: loop.name, detail: reasonOf(error as Failure) });
        else log[isFirst ? "error" : "debug"]("A loop failed and will be restarted.", { loop: loop.name, error });
      } finally {
        clearTimeout(well);
        well = undefined;
      }
      const over = isWaiting ? back.signal : NEVER;
      const pausedMs = isWaiting ? Math.min(pauseMs, longestWaitMs) : pauseMs;
      await pause(pausedMs, AbortSignal.any([ending.signal, over]));
      pauseMs = over.aborted ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };

  const running = loops.map(supervise);
  const check: HealthCheck = {
    name: "loops",
    degrades: true,
    check: async () => (late.size === 0 ? undefined : `late: ${[...late].join(", ")}`),
  };
  return {
    check,
    async stop(): Promise<void> {
      ending.abort();
      await Promise.all(running);
    },
  };
}

/** What is away, and how that was found out: of PostgreSQL its SQLSTATE too. */
function reasonOf({ detail, message, cause }: Failure): string {
  const { code, message: found } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return [detail ?? message, code, found].filter((part) => typeof part === "string").join(": ");
}

interface PassTime {
  readonly ms: number;
  readonly ending: AbortSignal;
  readonly isLate: () => void;
}

/** Awaits the work for at most `ms`, and for a few seconds at most once `ending` is aborted. */
async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>, { ms, ending, isLate }: PassTime): Promise<T> {
  const over = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    isLate();
    const error = new Error("The pass missed its deadline.");
    over.abort(error);
    reject(error);
  };
  let timer = setTimeout(giveUp, ms);
  const shorten = () => {
    over.abort();
    clearTimeout(timer);
    timer = setTimeout(giveUp, Math.min(ms, LAST_PASS_MS));
  };
  if (ending.aborted) shorten();
  ending.addEventListener("abort", shorten, { once: true });
  try {
    return await Promise.race([work(over.signal), promise]);
  } finally {
    clearTimeout(timer);
    ending.removeEventListener("abort", shorten);
  }
}

/** One process may supervise twice (services and worker together): the gauge is shared. */
const gauge = (metrics: Metrics, { name, help }: { readonly name: string; readonly help: string }): Gauge<"loop"> =>
  (metrics.getSingleMetric(name) as Gauge<"loop"> | undefined) ??
  new Gauge({ name, help, labelNames: ["loop"], registers: [metrics] });
