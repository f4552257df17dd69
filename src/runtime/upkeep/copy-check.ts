import { fork } from "node:child_process";
import { join } from "node:path";
import { Failure } from "../basis/errors.ts";
import type { CopyAnswer, CopyFindings, CopyQuestion } from "./copy-check-process.ts";

const PROGRAM = join(import.meta.dirname, "copy-check-process.ts");

/**
 * Has SQLite check a copy of the store, and makes its digest, in a process of its own: one statement of
 * SQLite reads the whole copy, and only the end of its process interrupts it (R-X395). The store itself is not opened.
 * @throws CANCELLED when the signal is aborted; otherwise an error, with the code of the system if there is one.
 */
export async function examineCopy(question: CopyQuestion, signal: AbortSignal): Promise<CopyFindings> {
  if (signal.aborted) throw givenUp();
  const { promise, resolve, reject } = Promise.withResolvers<CopyFindings>();
  const child = fork(PROGRAM, {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // Under a debugger that stops at the first line, the check would wait for one of its own.
    execArgv: [],
  });
  const end = () => void child.kill("SIGKILL");
  let answered: CopyAnswer | undefined;
  signal.addEventListener("abort", end, { once: true });
  child.once("error", reject);
  child.once("message", (answer: CopyAnswer) => {
    answered = answer;
  });
  // Once nothing has the copy open any more.
  child.once("close", (code, ended) => {
    if (signal.aborted) reject(givenUp());
    else if (answered === undefined) reject(new Error(`the process that checks the copy ended with ${ended ?? code}`));
    else if ("failed" in answered) reject(Object.assign(new Error(answered.failed.message), answered.failed));
    else resolve(answered.findings);
  });
  // Without a descriptor left there is no connection, and the error above says so.
  if (child.connected)
    child.send(question, (error) => {
      if (error !== null) end();
    });
  return promise.finally(() => signal.removeEventListener("abort", end));
}

/**
 * Checks a copy of a store that was made a moment ago.
 * @param rows of each table of the store.
 * @returns its SHA-256, in hexadecimal digits.
 * @throws Error with the code SQLITE_CORRUPT when it is damaged or differs, and as `examineCopy`.
 */
export async function checkCopy(path: string, rows: ReadonlyMap<string, number>, signal: AbortSignal): Promise<string> {
  const { sha256, structure } = await examineCopy({ path, countsRows: true }, signal);
  if ("message" in structure) throw Object.assign(new Error(structure.message), structure);
  if (structure.integrity !== "ok") throw damaged(`the copy is damaged: ${structure.integrity}`);
  const different = [...rows].filter(([table, count]) => structure.rows?.get(table) !== count).map(([table]) => table);
  if (different.length > 0) throw damaged(`the copy differs from the store in ${different.join(", ")}`);
  return sha256;
}

const damaged = (message: string): Error => Object.assign(new Error(message), { code: "SQLITE_CORRUPT" });

const givenUp = (): Failure => new Failure("CANCELLED", "cancelled", "The work on the store was given up.");
