import { Failure } from "#runtime/basis/errors.ts";

/** How long an export waits for its reader, and how long it may take in all, in milliseconds. */
export interface ExportLimits {
  readonly pauseMs: number;
  readonly wholeMs: number;
}

/** Watches over an export: while its reader pauses, and as a whole. */
interface Patience {
  /** Call before a batch is handed out, and `resumed` when the reader asks for the next one. */
  paused(): void;
  /** @throws ABORTED (export_paused, export_too_long) when the export was ended meanwhile. */
  resumed(): void;
  stop(): void;
}

/**
 * An export reads one snapshot, and a snapshot keeps the store from tidying up: the embedded store's log grows, and
 * PostgreSQL removes no dead rows (R-X251). So an export whose reader does not go on is ended: `giveUp` is called while
 * nothing reads, to give the snapshot back.
 */
export function patience({ pauseMs, wholeMs }: ExportLimits, giveUp: () => void): Patience {
  let ended: Failure | undefined;
  let isLate = false;
  let isPaused = false;
  let pause: NodeJS.Timeout | undefined;
  const end = (failure: Failure) => {
    if (ended !== undefined) return;
    ended = failure;
    giveUp();
  };
  const whole = setTimeout(() => {
    isLate = true;
    if (isPaused) end(tooLong(wholeMs));
  }, wholeMs);
  return {
    paused() {
      if (isLate) end(tooLong(wholeMs));
      isPaused = true;
      pause = setTimeout(() => end(pausedTooLong(pauseMs)), pauseMs);
    },
    resumed() {
      clearTimeout(pause);
      isPaused = false;
      if (ended !== undefined) throw ended;
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
    `The export was ended, because it took longer than ${ms / 60_000} min. Begin again with one instance at a time, or raise export-longest-minutes.`,
  );
