import type { Log, LogFields } from "./log.ts";

/** Lines of one kind that are written by themselves in each interval; of the others only the number. */
const LINES_MAX = 20;
const INTERVAL_MS = 60_000;

/** A log for what strangers cause: however much of it they cause, the number of lines is bounded (R-X155). */
export interface BoundedLog {
  /** Written as it is, or only counted: `kind` names what is counted together, in few words of ours. */
  info(kind: string, sentence: string, fields: LogFields): void;
  /** Writes the counts that are left. */
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
