import type { Clock } from "../basis/clock.ts";
import { MINUTE_MS } from "../basis/durations.ts";

/** Refusals that one process keeps in memory between two writes. */
const WAITING_MAX = 500;
/** How many refusals of one kind are stored in a minute; more add no information. */
const PER_MINUTE = 30;
/** Of one operation and check, of all who ask: a flood in invented names leaves room for what else is refused. */
const PER_CHECK_AND_MINUTE = 200;

/** A refused request, as operators can have it explained; each domain adds what it keeps. */
export interface NotedRefusal {
  readonly requestId: string;
  readonly at: Date;
}

/** Refusals of one kind say the same. */
export interface RefusalKind {
  /** The operation and the check, of which there are few. */
  readonly what: string;
  /** Who asked; it may be invented. */
  readonly who: string;
}

/**
 * Refusals that wait to be stored. Noting one costs the request no write: a loop stores them, and of a flood only a few
 * of each kind are kept (R-X123).
 */
export interface RefusalNotes<R extends NotedRefusal> {
  note(refusal: R): void;
  /** One that is not stored yet: it waits, or is being written. */
  find(requestId: string): R | undefined;
  /** All that wait, to be written: then either `stored` or given back. */
  take(): readonly R[];
  /** Forgets refusals that the store has now. */
  stored(refusals: readonly R[]): void;
  /** Takes back refusals that could not be stored. */
  giveBack(refusals: readonly R[]): void;
}

export function refusalNotes<R extends NotedRefusal>(
  clock: Clock,
  kindOf: (refusal: R) => RefusalKind,
): RefusalNotes<R> {
  let waiting = new Map<string, R>();
  /** Neither waiting nor certainly in the store. */
  const beingWritten = new Map<string, R>();
  let minute = 0;
  let counts = new Map<string, number>();

  const isOneTooMany = (refusal: R): boolean => {
    const current = Math.floor(clock.now().getTime() / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    const { what, who } = kindOf(refusal);
    const kind = `${what} ${who}`;
    const ofKind = counts.get(kind) ?? 0;
    const ofCheck = counts.get(what) ?? 0;
    if (ofKind >= PER_MINUTE || ofCheck >= PER_CHECK_AND_MINUTE) return true;
    counts.set(kind, ofKind + 1).set(what, ofCheck + 1);
    return false;
  };

  const add = (refusal: R): void => {
    if (waiting.size < WAITING_MAX && !waiting.has(refusal.requestId)) waiting.set(refusal.requestId, refusal);
  };

  const forget = (refusals: readonly R[]): void => {
    for (const { requestId } of refusals) beingWritten.delete(requestId);
  };

  return {
    note(refusal) {
      if (refusal.requestId !== "" && !isOneTooMany(refusal)) add(refusal);
    },
    find: (requestId) => beingWritten.get(requestId) ?? waiting.get(requestId),
    take() {
      const taken = [...waiting.values()];
      waiting = new Map();
      for (const refusal of taken) beingWritten.set(refusal.requestId, refusal);
      return taken;
    },
    stored: forget,
    giveBack(refusals) {
      forget(refusals);
      for (const refusal of refusals) add(refusal);
    },
  };
}
