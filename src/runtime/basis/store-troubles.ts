import { Failure, UNAVAILABLE_RETRY_SECONDS } from "./errors.ts";

/**
 * Why the store itself fails, as opposed to refusing one statement: no space, a failing disk, one that hangs, a read-only store, no
 * answer, no access, locked by others, damaged. Also a label of metrics, so the list is closed.
 */
export const STORE_TROUBLES = ["full", "disk", "hangs", "read_only", "away", "refused", "busy", "damaged"] as const;

export type StoreTrouble = (typeof STORE_TROUBLES)[number];

/** Text of each for health checks and operators. */
export const STORE_TROUBLE_TEXTS: Readonly<Record<StoreTrouble, string>> = {
  full: "full: its disk has no space left",
  disk: "disk: reading, writing or flushing fails",
  hangs: "hangs: a flush of its disk has taken more than five seconds and has not ended",
  read_only: "read only: nothing can be written",
  away: "away: it cannot be reached, or its file was moved, removed or replaced",
  refused: "refused: the database refuses its role, its password or what the role may do",
  busy: "busy: others keep it locked, or use all of its connections",
  damaged: "damaged: restore it from a backup",
};

/** What a start that the trouble stopped ends with: 65 where no other start cures it (R-X417). */
export const exitCodeOf = (trouble: StoreTrouble | undefined): 1 | 65 => (trouble === "damaged" ? 65 : 1);

/** What makes PostgreSQL take writes that takes none. */
export const WRITABLE_POSTGRES =
  "Name the primary in store-url, or set default_transaction_read_only to off for the role, the database or the server";

/** What an operator does about each. Words of a sentence, without a full stop. */
export const STORE_TROUBLE_CURES: Readonly<Record<StoreTrouble, string>> = {
  full: "Free space on the disk",
  disk: "Mend or replace the disk; the system's log says more",
  hangs: "Look at the system's log, and at what else uses the disk; writes resume by themselves",
  read_only: `Make the directory and its disk writable; with PostgreSQL: ${WRITABLE_POSTGRES}`,
  away: "Make its server reachable, or its directory writable with space on its disk",
  refused: "Correct the role, its password and its rights, or store-url",
  busy: "End the other program that has it locked",
  damaged: "Mend the disk, or restore a backup; the system's log says more",
};

const REASON_PREFIX = "store_";

/**
 * The failure of a request while the store is in trouble: 503 with `Retry-After` at every endpoint (R-X14). Its reason names the
 * trouble, `store_full` for example; what applications and integrators are answered does not.
 */
export const storeUnavailable = (trouble: StoreTrouble, cause: unknown): Failure =>
  new Failure("UNAVAILABLE", `${REASON_PREFIX}${trouble}`, "The store cannot be used at the moment. Try again later.", {
    cause,
    detail: `store: ${trouble}`,
    retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
  });

/** The trouble that the reason of a failure names, in any process; `undefined` when it has another reason. */
export const namedTrouble = (reason: string): StoreTrouble | undefined =>
  STORE_TROUBLES.find((trouble) => reason === `${REASON_PREFIX}${trouble}`);
