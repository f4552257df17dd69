import type { LogEntry } from "@temporalio/worker";
import type { Log } from "../process/log.ts";

/** Each poller says so several times a minute while the server is away; the link has said that once, and since when. */
const ANOTHER_TRY = /^gRPC call \w+ retried \d+ times$/;

/** Writes what the SDK's engine says into the log. */
export const sdkLines =
  (log: Log) =>
  ({ level, message, meta }: Pick<LogEntry, "level" | "message" | "meta">): void => {
    // The end of a workflow is recorded by the server; it is not a failure of this process.
    const isWorkflow = meta?.workflowId !== undefined;
    const write = level === "ERROR" && !isWorkflow && !ANOTHER_TRY.test(message) ? log.warn : log.debug;
    write(`Temporal: ${message}`, meta?.error === undefined ? {} : { error: meta.error });
  };
