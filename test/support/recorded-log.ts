import type { Log, LogFields, LogLevel } from "../../src/runtime/process/log.ts";

export interface LogLine {
  readonly level: Exclude<LogLevel, "silent">;
  readonly sentence: string;
  readonly fields: LogFields;
}

/** A log that keeps its lines for the test to read. */
export function recordedLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const write =
    (level: LogLine["level"]) =>
    (sentence: string, fields: LogFields = {}) =>
      void lines.push({ level, sentence, fields });
  return {
    lines,
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    flush() {},
    async end() {},
  };
}
