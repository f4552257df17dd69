import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Failure } from "../basis/errors.ts";
import type { CopiedStore, MeasuredTable, StoreAnswer, StoreOrder } from "./store-worker.ts";

const WORKER = join(import.meta.dirname, "store-worker.ts");

type Done<O extends StoreOrder> = O["task"] extends "copy" ? CopiedStore : readonly MeasuredTable[];

/**
 * Reads the embedded store on a thread of its own: requests go on meanwhile.
 * @throws CANCELLED when the signal is aborted; otherwise an error with the code of the database or the system, and with
 * what is lacking where a copy would not fit.
 */
export function onThread<O extends StoreOrder>(order: O, signal: AbortSignal): Promise<Done<O>> {
  const { promise, resolve, reject } = Promise.withResolvers<Done<O>>();
  const worker = new Worker(WORKER, { workerData: order });
  const end = () => void worker.terminate();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  worker.once("message", (answer: StoreAnswer<Done<O>>) => {
    if ("failed" in answer) reject(Object.assign(new Error(answer.failed.message), answer.failed));
    else resolve(answer.done);
  });
  worker.once("error", reject);
  worker.once("exit", () => reject(new Failure("CANCELLED", "cancelled", "The work on the store was given up.")));
  return promise.finally(() => signal.removeEventListener("abort", end));
}
