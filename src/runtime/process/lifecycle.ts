import type { Log } from "./log.ts";

/** Something that runs until it is stopped. Parts are stopped in the reverse order of their start. */
export interface Part {
  readonly name: string;
  stop(graceMs: number): Promise<void>;
}

/** A named check of readiness: undefined when well, otherwise a sentence. */
export interface HealthCheck {
  readonly name: string;
  /**
   * A failed check makes the process degraded, not unready: its main work goes on, and only work that can wait is
   * affected.
   */
  readonly degrades?: boolean;
  check(): Promise<string | undefined>;
}

/** How long a stop may take in all. */
export const GRACE_MS = 20_000;

const REST_MS = 2_000;

/** What work for others leaves of its grace time to what must still be closed behind it, the store above all. */
export const restOf = (graceMs: number): number => Math.min(REST_MS, graceMs / 2);

/** The running parts of a process. They are stopped once, last started first, each within the remaining grace time. */
export class Parts {
  readonly #parts: Part[] = [];
  readonly #log: Log;
  #stopping: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  add(part: Part): void {
    this.#parts.push(part);
  }

  /** Stops everything; a part that fails to stop does not prevent the others from stopping. */
  stop(graceMs: number = GRACE_MS): Promise<void> {
    this.#stopping ??= this.#stopAll(performance.now() + graceMs);
    return this.#stopping;
  }

  /** @param endAt in milliseconds of a clock that is never set. */
  async #stopAll(endAt: number): Promise<void> {
    for (const part of this.#parts.toReversed()) {
      try {
        await part.stop(Math.max(0, endAt - performance.now()));
      } catch (error) {
        this.#log.error(`${part.name} did not stop cleanly.`, { error });
      }
    }
  }
}

/** Ctrl-C, an orderly end, and a terminal that was closed. */
const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls `onSignal` at each signal that ends a process, until the function that is returned is called. */
export function onEndingSignals(onSignal: (signal: NodeJS.Signals) => void): () => void {
  for (const name of ENDING_SIGNALS) process.on(name, onSignal);
  return () => {
    for (const name of ENDING_SIGNALS) process.off(name, onSignal);
  };
}

/**
 * Calls `tidy` when a signal ends the process, which then ends by that signal, as it would have: a shell sees 130 after
 * Ctrl-C. Until the function that is returned is called.
 */
export function beforeEndingBySignal(tidy: () => void): () => void {
  const stopListening = onEndingSignals((signal) => {
    tidy();
    stopListening();
    process.kill(process.pid, signal);
  });
  return stopListening;
}

/**
 * Stops the parts on SIGTERM, SIGINT and SIGHUP, and ends the process: with 0 after a clean stop, with 1 when the grace time passed or a second
 * signal came.
 */
export function stopOnSignals(parts: Pick<Parts, "stop">, log: Log): void {
  let stopping = false;
  onEndingSignals((signal) => {
    if (stopping) {
      log.warn("A second signal: ending at once.", { signal });
      log.flush();
      process.exit(1);
    }
    stopping = true;
    log.info("Stopping.", { signal });
    const forced = setTimeout(() => {
      log.error("The grace time passed: ending at once.");
      log.flush();
      process.exit(1);
    }, GRACE_MS + 1_000);
    forced.unref();
    void parts.stop().then(async () => {
      log.info("Stopped.");
      await log.end();
      process.exit(0);
    });
  });
}
