import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { LogAnswer, LogOrder, LogState, StoreFiles } from "./log-copy-thread.ts";
import { flushFailure } from "./store-trouble.ts";

const THREAD = join(import.meta.dirname, "log-copy-thread.ts");
/** The thread makes next to nothing in JavaScript, but would take as much memory for it as the one that serves. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

/** A store that is quiet again has its memory back. */
const IDLE_MS = 10_000;

/** Copies the log of the embedded store on a thread of its own, with a handle of its own. One order at a time. */
export interface LogCopier {
  readonly isOpen: boolean;
  /**
   * Begins the thread and opens its handle, which notices each flush that fails from then on, be it another handle's.
   * @throws when the thread cannot be begun or the file cannot be opened.
   */
  open(): Promise<void>;
  /**
   * Copies as much as no reader needs. `undefined` where nothing was copied: the disk is full, or another handle copies.
   * @throws an error with SQLite's code for a failed flush; another one when the thread has ended.
   */
  copy(): Promise<LogState | undefined>;
  /** Closes the handle. Resolves once the thread has ended. */
  end(): Promise<void>;
}

/**
 * @param path of the store's main file.
 * @param mainFile returns its number, open for writing until the copier has ended.
 */
export function logCopier(path: string, mainFile: () => number): LogCopier {
  let thread: Worker | undefined;
  let begun: Promise<unknown> = Promise.resolve();
  let ended: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let answer = Promise.withResolvers<LogState | undefined>();

  const begin = (): Worker => {
    const worker = new Worker(THREAD, {
      workerData: { path, mainFile: mainFile() } satisfies StoreFiles,
      resourceLimits: RESOURCE_LIMITS,
      env: threadEnvironment(),
    });
    // A store that was not closed keeps no program from ending.
    worker.unref();
    worker.on("message", (told: LogAnswer) => {
      if ("flushFailed" in told) answer.reject(flushFailure("The log of the store was not copied.", told.flushFailed));
      else answer.resolve(told.state);
    });
    worker.on("error", (error) => answer.reject(error));
    worker.on("exit", () => {
      if (thread === worker) thread = undefined;
      answer.reject(new Error("The thread that copies the log has ended."));
    });
    return worker;
  };
  const answered = async (): Promise<LogState | undefined> => {
    clearTimeout(idle);
    answer = Promise.withResolvers();
    const state = await answer.promise;
    idle = setTimeout(end, IDLE_MS).unref();
    return state;
  };
  const end = (): void => {
    clearTimeout(idle);
    if (thread === undefined) return;
    ended = once(thread, "exit").catch(() => undefined);
    thread.ref();
    thread.postMessage("end" satisfies LogOrder);
    thread = undefined;
  };

  return {
    get isOpen() {
      return thread !== undefined;
    },
    open() {
      const opened = ended.then(async () => {
        const first = answered();
        const worker = begin();
        await first;
        thread = worker;
      });
      begun = opened.catch(() => undefined);
      return opened;
    },
    async copy() {
      if (thread === undefined) throw new Error("The thread that copies the log has ended.");
      thread.postMessage("copy" satisfies LogOrder);
      return answered();
    },
    async end() {
      await begun;
      end();
      await ended;
    },
  };
}

/** Without the compile cache of the program the thread would load what strips types, 20 MiB. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}
