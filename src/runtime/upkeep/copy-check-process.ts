import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";
import { onEndingSignals } from "../process/lifecycle.ts";
import { fileDigestOf } from "./backup-digest.ts";
import { countRows } from "./row-counts.ts";

/** Which copy is looked at. */
export interface CopyQuestion {
  readonly path: string;
  /** Its rows are counted too. */
  readonly countsRows: boolean;
}

/** What a copy of a store is like; others judge it. */
export interface CopyFindings {
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly sha256: string;
  readonly structure: CopyStructure | UnreadableCopy;
}

/** What SQLite says of a copy. */
interface CopyStructure {
  /** The first of SQLite's complaints, or `ok`. */
  readonly integrity: string;
  /** `pragma user_version`: one of `STORE_FILE_STATES`. */
  readonly state: number;
  /** Whether it has our ledger of migrations. */
  readonly hasLedger: boolean;
  /** Rows of each table, if they were asked for. */
  readonly rows: ReadonlyMap<string, number> | undefined;
}

/** SQLite's error, or the system's. */
interface UnreadableCopy {
  readonly code?: string | undefined;
  readonly message: string;
}

/** What the process answers. */
export type CopyAnswer = { readonly findings: CopyFindings } | { readonly failed: UnreadableCopy };

function examine(question: CopyQuestion): CopyAnswer {
  try {
    return { findings: { sha256: fileDigestOf(question.path), structure: structureOf(question) } };
  } catch (error) {
    return { failed: described(error) };
  }
}

function structureOf({ path, countsRows }: CopyQuestion): CopyFindings["structure"] {
  try {
    // A command that was interrupted has removed the copy: it must not come to be again.
    const copy = new BetterSqlite3(path, { timeout: 5_000, fileMustExist: true });
    try {
      return {
        integrity: String(copy.pragma("integrity_check(1)", { simple: true })).split("\n")[0] ?? "",
        state: Number(copy.pragma("user_version", { simple: true })),
        hasLedger: copy.prepare("select 1 from sqlite_schema where name = 'migration_ledger'").get() !== undefined,
        rows: countsRows ? countRows(copy) : undefined,
      };
    } finally {
      copy.close();
    }
  } catch (error) {
    return described(error);
  }
}

function described(error: unknown): UnreadableCopy {
  const { code, message } = error as NodeJS.ErrnoException;
  return { code, message };
}

/**
 * The process examines on a thread, so that its end is heard meanwhile: a statement of SQLite that has begun cannot be
 * interrupted, and what it was asked for is of no use once the process that asked has ended.
 */
function serveParent(): void {
  const answer = (answered: CopyAnswer) => process.send?.(answered, () => process.disconnect());
  process.once("message", (question: CopyQuestion) => {
    const worker = new Worker(import.meta.filename, { workerData: question });
    worker.once("message", answer);
    worker.once("error", (error) => answer({ failed: described(error) }));
  });
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
  // A supervisor, or Ctrl-C, signals both: what becomes of the copy is its parent's to say.
  onEndingSignals(() => undefined);
}

if (parentPort !== null) parentPort.postMessage(examine(workerData as CopyQuestion));
else if (isMainThread && process.send !== undefined) serveParent();
