import type { Log, LogFields } from "./log.ts";

/** Lines of one kind written in each interval; further lines of that kind are only counted. */
const LINES_MAX = 20;
const INTERVAL_MS = 60_000;

/**
 * A log for events that strangers can cause: its number of lines is bounded, however many events there are (R-X155).
 */
export interface BoundedLog {
  /** Writes the line, or only counts it. `kind` is a short constant; lines of one kind are counted together. */
  info(kind: string, sentence: string, fields: LogFields): void;
  /** Writes the remaining counts. */
  stop(): void;
}

/** @param everyMs shorter in tests. */
export function boundedLog(log: Log, { linesMax = LINES_MAX, everyMs = INTERVAL_MS } = {}): BoundedLog {
  const kinds = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const summarise = () => {
    timer = undefined;
    for (const [reason, seen] of kinds) {
      if (seen > linesMax)
        log.info("More of the same was counted and not written.", { reason, count: seen - linesMax });
    }
    kinds.clear();
  };
  return {
    info(kind, sentence, fields) {
      const seen = (kinds.get(kind) ?? 0) + 1;
      kinds.set(kind, seen);
      timer ??= setTimeout(summarise, everyMs).unref();
      if (seen <= linesMax) log.info(sentence, fields);
    },
    stop() {
      clearTimeout(timer);
      summarise();
    },
  };
}
