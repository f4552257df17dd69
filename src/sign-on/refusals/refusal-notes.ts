import type { Clock } from "#runtime/basis/clock.ts";

/** A request that was refused, as operators can have it explained. Contains no secret and nothing about a person. */
export interface Refusal {
  readonly requestId: string;
  readonly at: Date;
  /** The operation of the contract, or `unrouted`. */
  readonly operation: string;
  readonly check: string;
  /** The error code of the answer; empty where it was a page. */
  readonly error: string;
  /** What the answer said; empty where it was a page. */
  readonly sentence: string;
  /** The application that was named, if it has the form of an id. */
  readonly applicationId: string | undefined;
  /** Names of known parameters, without their values. */
  readonly parameters: readonly string[];
  /** As sent, at most 500 characters, printable ones only. */
  readonly redirectUri: string | undefined;
}

/** Refusals that one process keeps in memory between two writes. */
const WAITING_MAX = 500;
/** How many refusals of one application by one check are stored in a minute; more add no information. */
const PER_MINUTE = 30;
const MINUTE_MS = 60_000;

/**
 * Refusals that wait to be stored. Noting one costs the request no write: a loop stores them, and of a flood only a few
 * of each kind are kept (R-X123).
 */
export interface RefusalNotes {
  note(refusal: Refusal): void;
  /** One that is not written yet. */
  find(requestId: string): Refusal | undefined;
  /** All that wait, to be written. */
  take(): readonly Refusal[];
  /** Takes back refusals that could not be stored. */
  giveBack(refusals: readonly Refusal[]): void;
}

export function refusalNotes(clock: Clock): RefusalNotes {
  let waiting = new Map<string, Refusal>();
  let minute = 0;
  let counts = new Map<string, number>();

  const isOneTooMany = ({ applicationId, operation, check }: Refusal): boolean => {
    const current = Math.floor(clock.now().getTime() / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    const kind = `${applicationId ?? ""} ${operation} ${check}`;
    const count = (counts.get(kind) ?? 0) + 1;
    // A flood of invented applications must not fill the memory either.
    if (counts.size < WAITING_MAX || counts.has(kind)) counts.set(kind, count);
    else return true;
    return count > PER_MINUTE;
  };

  const add = (refusal: Refusal): void => {
    if (waiting.size < WAITING_MAX && !waiting.has(refusal.requestId)) waiting.set(refusal.requestId, refusal);
  };

  return {
    note(refusal) {
      if (refusal.requestId !== "" && !isOneTooMany(refusal)) add(refusal);
    },
    find: (requestId) => waiting.get(requestId),
    take() {
      const taken = [...waiting.values()];
      waiting = new Map();
      return taken;
    },
    giveBack(refusals) {
      for (const refusal of refusals) add(refusal);
    },
  };
}
