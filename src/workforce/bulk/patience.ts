import { MINUTE_MS } from "#runtime/basis/durations.ts";
import { Failure } from "#runtime/basis/errors.ts";

/** How long an export waits for its reader, and how long it may take in all, in milliseconds. */
export interface ExportLimits {
  readonly pauseMs: number;
  readonly wholeMs: number;
}

/** Watches over an export: while its reader pauses, and as a whole. */
interface Patience {
  /** Aborted when the export is to end. */
  readonly signal: AbortSignal;
  /** Call before a batch is handed out, and `resumed` when the reader asks for the next one. */
  paused(): void;
  /** @throws ABORTED (export_paused, export_too_long) when the export was ended meanwhile. */
  resumed(): void;
  /** @throws ABORTED (export_too_long) when the export was ended while it was read. */
  assertInTime(): void;
  stop(): void;
}

/**
 * An export reads one snapshot, and a snapshot keeps the store from tidying up: the embedded store's log grows, and
 * PostgreSQL removes no dead rows (R-X251). So an export that takes too long, or whose reader does not go on, is ended.
 * @param giveUp gives the snapshot back; called while the reader pauses, so that nothing reads.
 */
export function patience({ pauseMs, wholeMs }: ExportLimits, giveUp: () => void): Patience {
  const ending = new AbortController();
  let ended: Failure | undefined;
  let isPaused = false;
  let pause: NodeJS.Timeout | undefined;
  const end = (failure: Failure) => {
    if (ended !== undefined) return;
    ended = failure;
    ending.abort();
    if (isPaused) giveUp();
  };
  const assertInTime = () => {
    if (ended !== undefined) throw ended;
  };
  const whole = setTimeout(() => end(tooLong(wholeMs)), wholeMs);
  return {
    signal: ending.signal,
    assertInTime,
    paused() {
      isPaused = true;
      pause = setTimeout(() => end(pausedTooLong(pauseMs)), pauseMs);
    },
    resumed() {
      clearTimeout(pause);
      isPaused = false;
      assertInTime();
    },
    stop() {
      clearTimeout(pause);
      clearTimeout(whole);
    },
  };
}

const pausedTooLong = (ms: number): Failure =>
  new Failure(
    "ABORTED",
    "export_paused",
    `The export was ended, because its reader took nothing for ${ms / 1_000} s. Begin again, and read without a pause, for example into a file.`,
  );

const tooLong = (ms: number): Failure =>
  new Failure(
    "ABORTED",
    "export_too_long",
    `The export was ended, because it took longer than ${ms / MINUTE_MS} min. Begin again with one instance at a time, or raise export-longest-minutes.`,
  );
