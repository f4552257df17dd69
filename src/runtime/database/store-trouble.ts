import type { StoreTrouble } from "../basis/store-troubles.ts";

/** By the beginning of SQLite's extended result code, most special first. */
const SQLITE: readonly (readonly [string, StoreTrouble])[] = [
  ["SQLITE_FULL", "full"],
  // The file for the log's shared memory cannot grow.
  ["SQLITE_IOERR_SHMSIZE", "full"],
  ["SQLITE_IOERR", "disk"],
  ["SQLITE_NOMEM", "disk"],
  ["SQLITE_READONLY", "read_only"],
  ["SQLITE_CANTOPEN", "away"],
  ["SQLITE_BUSY", "busy"],
  ["SQLITE_LOCKED", "busy"],
  ["SQLITE_PROTOCOL", "busy"],
  ["SQLITE_CORRUPT", "damaged"],
  ["SQLITE_NOTADB", "damaged"],
];

/** By the beginning of PostgreSQL's SQLSTATE, most special first (PostgreSQL, appendix A). */
const POSTGRES: readonly (readonly [string, StoreTrouble])[] = [
  ["53100", "full"],
  ["53300", "busy"],
  ["53", "away"],
  ["58", "disk"],
  ["25006", "read_only"],
  // A limit of the server's ended the connection within its transaction (25P03 and, from version 17 on, 25P04).
  ["25P03", "away"],
  ["25P04", "away"],
  // A role, a password or a rule of access; a database that is gone, or takes no connections; a right.
  ["28", "refused"],
  ["3D000", "refused"],
  ["55000", "refused"],
  ["42501", "refused"],
  ["08", "away"],
  ["57P", "away"],
  ["57014", "busy"],
  ["55P03", "busy"],
  ["XX001", "damaged"],
  ["XX002", "damaged"],
];

/** System error codes of a lost or refused connection. */
const SYSTEM: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
  "EMFILE",
  "ENFILE",
]);

/** System error codes of a file that cannot be written or read. */
const FILES: ReadonlyMap<string, StoreTrouble> = new Map([
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["EFBIG", "full"],
  ["EIO", "disk"],
  ["EROFS", "read_only"],
  ["EACCES", "read_only"],
  ["EPERM", "read_only"],
]);

/** The trouble that an error of the file system or the database shows, or the error behind it. */
export function diskTroubleOf(error: unknown): StoreTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return (typeof code === "string" ? FILES.get(code) : undefined) ?? storeTroubleOf(error) ?? diskTroubleOf(cause);
}

/** The trouble that an error of the database shows; `undefined` when the error concerns the statement only. */
export function storeTroubleOf(error: unknown): StoreTrouble | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  if (typeof code !== "string") return undefined;
  const [, trouble] = (code.startsWith("SQLITE_") ? SQLITE : POSTGRES).find(([start]) => code.startsWith(start)) ?? [];
  return trouble ?? (SYSTEM.has(code) ? "away" : undefined);
}

/**
 * True when the system could not flush. Earlier writes may be missing on the disk although the system's memory still
 * shows them, and the next flush may succeed nevertheless (decision 0039).
 */
export function isFlushFailure(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return code === "SQLITE_IOERR_FSYNC" || code === "SQLITE_IOERR_DIR_FSYNC";
}

/** An error of which `isFlushFailure` is true. */
export const flushFailure = (message: string, cause: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: "SQLITE_IOERR_FSYNC" });
