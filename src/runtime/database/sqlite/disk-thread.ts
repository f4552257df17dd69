import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { TurnQueue } from "../../basis/turn-queue.ts";
import { isFlushFailure } from "../store-trouble.ts";
import type { LogState } from "./checkpoint.ts";
import type { DiskAnswer, DiskOrder, StoreFiles } from "./disk-worker.ts";
import type { Cleared } from "./overwritten.ts";

const WORKER = join(import.meta.dirname, "disk-worker.ts");
/** The thread makes next to nothing in JavaScript, but would take as much memory for it as the one that serves. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };
/** A store that is quiet again has its memory back. */
const IDLE_MS = 10_000;

/**
 * What waits for the disk in the care of an embedded store, on a thread of its own with a handle of its own (decision 0083).
 * Orders are carried out one after another, and none once a flush has failed (decision 0039).
 */
export interface DiskThread {
  readonly isOpen: boolean;
  /**
   * Begins the thread and opens its handle, which notices each flush that fails from then on, be it another handle's.
   * @throws when the thread cannot be begun or the file cannot be opened.
   */
  open(): Promise<void>;
  /**
   * Copies as much of the log as no reader needs, and flushes. `undefined` where nothing was copied: the disk is full, or another
   * handle copies.
   * @throws an error with SQLite's code for a failed flush; another one when the thread has ended.
   */
  copyLog(): Promise<LogState | undefined>;
  /**
   * As `clearOverwritten`. Nobody may write meanwhile.
   * @throws an error with the code of the database or the system; another one when the thread has ended.
   */
  clear(page: number): Promise<Cleared>;
  /** Closes the handle, for good. Resolves once the thread has ended. */
  end(): Promise<void>;
}

/**
 * @param path of the store's main file.
 * @param mainFile returns its number, open for writing until the thread has ended.
 */
export function diskThread(path: string, mainFile: () => number): DiskThread {
  let thread: Worker | undefined;
  let threadEnded: Promise<unknown> = Promise.resolve();
  const orders = new TurnQueue();
  let answer = Promise.withResolvers<unknown>();
  let idle: NodeJS.Timeout | undefined;
  let hasClosed = false;
  /** A file that is opened later does not hear of it: the next order would copy what is in doubt. */
  let failedFlush: unknown;

  const begin = (): Worker => {
    const worker = new Worker(WORKER, {
      workerData: { path, mainFile: mainFile() } satisfies StoreFiles,
      resourceLimits: RESOURCE_LIMITS,
      env: threadEnvironment(),
    });
    worker.on("message", (reply: DiskAnswer) => {
      if ("failed" in reply) answer.reject(Object.assign(new Error(reply.failed.message), { code: reply.failed.code }));
      else answer.resolve(reply.done);
    });
    worker.on("error", (error) => answer.reject(error));
    worker.on("exit", () => {
      if (thread === worker) thread = undefined;
      answer.reject(hasEnded());
    });
    return worker;
  };
  const answered = async (): Promise<unknown> => {
    clearTimeout(idle);
    answer = Promise.withResolvers();
    try {
      return await answer.promise;
    } catch (error) {
      if (isFlushFailure(error)) failedFlush = error;
      throw error;
    } finally {
      idle = setTimeout(dismiss, IDLE_MS).unref();
    }
  };
  const asked = <T>(order: DiskOrder): Promise<T> =>
    orders.run(async () => {
      if (failedFlush !== undefined) throw failedFlush;
      if (thread === undefined) throw hasEnded();
      thread.ref();
      thread.postMessage(order);
      try {
        return (await answered()) as T;
      } finally {
        thread?.unref();
      }
    });
  const dismiss = (): void => {
    clearTimeout(idle);
    if (thread === undefined) return;
    thread.ref();
    thread.postMessage({ task: "end" } satisfies DiskOrder);
    thread = undefined;
  };

  return {
    get isOpen() {
      return thread !== undefined;
    },
    open: () =>
      orders.run(async () => {
        if (hasClosed) throw hasEnded();
        if (thread !== undefined) return;
        await threadEnded;
        const opened = answered();
        const worker = begin();
        // Also of one that cannot open its handle: its end is not to be taken for that of the next.
        threadEnded = new Promise((resolve) => worker.once("exit", resolve));
        await opened;
        thread = worker;
        // A store that was not closed keeps no program from ending.
        worker.unref();
      }),
    copyLog: () => asked({ task: "copy" }),
    clear: (page) => asked({ task: "clear", page }),
    async end() {
      hasClosed = true;
      await orders.run(async () => {
        dismiss();
        await threadEnded;
      });
    },
  };
}

const hasEnded = (): Error => new Error("The thread that waits for the disk has ended.");

/** Without the compile cache of the program the thread would load what strips types, 20 MiB. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}
