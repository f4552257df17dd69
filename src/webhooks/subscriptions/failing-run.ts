import { DAY_MS } from "#runtime/basis/durations.ts";

/** R-E12: so long, and so many deliveries. */
const DISABLE_AFTER_MS = 5 * DAY_MS;
const DISABLE_DELIVERIES_MIN = 10;
/** Half of both. */
const WARN_AFTER_MS = DISABLE_AFTER_MS / 2;
const WARN_DELIVERIES_MIN = DISABLE_DELIVERIES_MIN / 2;
/** Between the warning and the disabling, however late the warning was. */
const NOTICE_MS = DAY_MS;

/** Deliveries of one subscription that were exhausted, none of its attempts acknowledged in between. */
export interface FailingRun {
  /** When the first of them was exhausted. */
  readonly since: Date;
  /** When `subscription.failing` was emitted; once in a run. */
  readonly warnedAt: Date | undefined;
  /** How many of them there were: each once, and no more than decide something. */
  readonly exhausted: number;
}

/** What follows a further delivery that was exhausted. */
type FailingStep = "none" | "warn" | "disable";

/** Exhausted deliveries that are counted at most: more decide nothing. */
export const COUNTED_MAX = DISABLE_DELIVERIES_MIN;

/**
 * What a run of failures leads to when one more delivery is exhausted (R-E12, R-X312): a warning after half of the time
 * and number, then the disabling, never within a day of the warning.
 */
export function failingStep({ since, warnedAt, exhausted }: FailingRun, at: Date): FailingStep {
  if (warnedAt === undefined)
    return passed(since, WARN_AFTER_MS, at) && exhausted >= WARN_DELIVERIES_MIN ? "warn" : "none";
  return at >= disablesAt({ since, warnedAt }) && exhausted >= DISABLE_DELIVERIES_MIN ? "disable" : "none";
}

/** When the run disables its subscription at the earliest, once it is warned. */
export const disablesAt = ({ since, warnedAt }: { readonly since: Date; readonly warnedAt: Date }): Date =>
  new Date(Math.max(since.getTime() + DISABLE_AFTER_MS, warnedAt.getTime() + NOTICE_MS));

const passed = (since: Date, forMs: number, at: Date): boolean => at.getTime() - since.getTime() >= forMs;
