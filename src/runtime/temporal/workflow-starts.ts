import { isGrpcServiceError } from "@temporalio/client";
import type { Log } from "../process/log.ts";
import { isUnanswered } from "./unanswered.ts";

/** Longer than the store waits before it offers the same work again: while any waits, a failure is repeated by then. */
const STALE_MS = 150_000;

/** How the starts of one kind of workflow go, as the loop that starts them finds it. */
export interface WorkflowStarts {
  /** Reports the starts of one pass; true when any of them failed. That all failed is logged once, not in each pass. */
  ended(starts: readonly PromiseSettledResult<void>[]): boolean;
}

interface WorkflowStartsDeps {
  readonly address: string;
  readonly log: Log;
  /** In milliseconds, monotonic. */
  readonly now: () => number;
}

interface FailedStart {
  readonly sentence: string;
  readonly kind: string;
  readonly at: number;
}

/** Notices that a server answers and fits, and starts no workflows nevertheless. */
export function workflowStarts({ address, log, now }: WorkflowStartsDeps) {
  const failures = new Map<string, FailedStart>();
  /** False when nothing has waited to be started since: what fails then is another trouble. */
  const isFresh = ({ at }: FailedStart) => now() - at <= STALE_MS;
  const allFailed = (workflowType: string, error: unknown) => {
    const { kind, words } = reasonOf(error);
    const sentence = `The server at ${address} does not start ${workflowType}: ${words}`;
    const before = failures.get(workflowType);
    if (before?.kind !== kind || !isFresh(before)) {
      log.warn("Temporal starts no workflows: what they are for waits in the store.", { detail: sentence });
    }
    failures.set(workflowType, { kind, sentence, at: now() });
  };
  return {
    /** Of the workflows of this type. */
    of: (workflowType: string): WorkflowStarts => ({
      ended(starts) {
        const errors = starts.flatMap((start) => (start.status === "rejected" ? [start.reason as unknown] : []));
        if (errors.length < starts.length) {
          if (failures.delete(workflowType)) log.info("Temporal starts workflows again.", { detail: workflowType });
          if (errors.length > 0) {
            const count = errors.length;
            log.warn("Temporal did not start some workflows; they are tried again.", {
              detail: workflowType,
              count,
              error: errors[0],
            });
          }
        } else if (errors.length > 0) {
          allFailed(workflowType, errors[0]);
        }
        return errors.length > 0;
      },
    }),
    /** What the last failures say; `undefined` when none failed, or when nothing has waited to be started since. */
    trouble(): string | undefined {
      return [...failures.values()].find(isFresh)?.sentence;
    },
  };
}

/** The server's words say more than its code, but may name one workflow: they are no reason to log again. */
function reasonOf(error: unknown): { readonly kind: string; readonly words: string } {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  const told = isGrpcServiceError(error) ? error : isGrpcServiceError(cause) ? cause : undefined;
  if (told !== undefined) return { kind: `gRPC ${told.code}`, words: told.details || wordsInstead(told) };
  return error instanceof Error
    ? { kind: error.name, words: error.message }
    : { kind: typeof error, words: "the log says why" };
}

/** Where the server said nothing: a deadline that passed has no details, and its message alone does not say whose it was. */
const wordsInstead = (error: Error): string =>
  isUnanswered(error) ? `no answer came in time (${error.message})` : error.message;
