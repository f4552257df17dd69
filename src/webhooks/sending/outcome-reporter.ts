import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type {
  AttemptOutcome,
  ClaimedAttempt,
  DispatchService,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { Log } from "#runtime/process/log.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { toOutcomeClass } from "../deliveries/outcome.ts";
import type { AttemptResult } from "./attempt-sender.ts";
import { settledOrAborted } from "./settled-or-aborted.ts";
import type { TroubleWatch } from "./trouble-watch.ts";

const BATCH = 50;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** An outcome, and until when it can be recorded. */
interface Report {
  readonly outcome: AttemptOutcome;
  /** The end of the lease, as `now` counts. */
  readonly leaseEndsAt: number;
}

export interface OutcomeReporter {
  /** Reports it as soon as possible, in one call with others that wait. Never throws. */
  report(outcome: AttemptOutcome, leaseEndsAt: number): void;
  /** Returns when everything is reported or out of date, or when `giveUp` is aborted. */
  idle(giveUp: AbortSignal): Promise<void>;
}

interface OutcomeReporterDeps {
  readonly dispatch: Pick<PromiseClient<typeof DispatchService>, "recordOutcomes">;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Reports outcomes many at a time, one call after another, and retries while their leases last; after that the attempts
 * count as lost (R-E8).
 */
export function outcomeReporter({ dispatch, now, log }: OutcomeReporterDeps): OutcomeReporter {
  let waiting: Report[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    let size = BATCH;
    // Outcomes of the same turn travel together.
    await nextTurn();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, size);
      try {
        await dispatch.recordOutcomes({ outcomes: batch.map(({ outcome }) => outcome) });
        waiting = waiting.slice(batch.length);
        pauseMs = FIRST_PAUSE_MS;
        size = BATCH;
      } catch (error) {
        log.warn("Outcomes cannot be reported; trying again.", { count: waiting.length, error });
        // One that services reject must not take the others with it: they go one by one, and it goes last.
        size = isRejected(error) ? 1 : BATCH;
        waiting = [...waiting.slice(batch.length), ...batch].filter(({ leaseEndsAt }) => leaseEndsAt > now());
        await sleep(pauseMs);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
    working = undefined;
  }

  return {
    report(outcome, leaseEndsAt) {
      waiting.push({ outcome, leaseEndsAt });
      working ??= work();
    },
    idle: (giveUp) => settledOrAborted(working, giveUp),
  };
}

const isRejected = (error: unknown): boolean =>
  error instanceof Failure && (error.code === "INVALID_ARGUMENT" || error.code === "INTERNAL");

/** An attempt's result as services record it; one that never left names the pause that its trouble asks for. */
export function reportOf(
  { deliveryId, fence, round, attemptNumber }: ClaimedAttempt,
  { outcome, trouble, ...rest }: AttemptResult,
  troubles: Pick<TroubleWatch, "happened">,
): AttemptOutcome {
  const pauseMs = trouble === undefined ? 0 : troubles.happened(trouble);
  return { deliveryId, fence, round, attemptNumber, class: toOutcomeClass(outcome), pauseMs, ...rest };
}
