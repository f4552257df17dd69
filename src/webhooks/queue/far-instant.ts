import { CLOCKS_APART_MS, liesAhead } from "#runtime/basis/clock.ts";
import { LONGEST } from "../settings.ts";
import type { FailingRun } from "../subscriptions/failing-run.ts";

export const LEASE_MS_MAX = LONGEST.leaseMs;

/** How far ahead an instant of each kind lies at most; one that lies further was written by a clock that was ahead. */
export const FAR_MS = {
  /** Of a wait for the next attempt. */
  wait: LONGEST.waitMs + CLOCKS_APART_MS,
  lease: LEASE_MS_MAX + CLOCKS_APART_MS,
  /** Of what is offered to a retry engine, or kept for one, for a minute and a call's time. */
  offer: 120_000 + CLOCKS_APART_MS,
} as const;

/** By then a machine that starts with a wrong clock has set it. While it is behind, every instant seems to be far ahead. */
const SET_AFTER_MS = 600_000;

/** True when a process has run for so long that its clock is taken for right. */
export const isClockSet = (ranMs: number): boolean => ranMs >= SET_AFTER_MS;

/** True when only a clock that was ahead can have written when a run of failures began or was warned. */
export const isAhead = ({ since, warnedAt = since }: FailingRun, at: Date): boolean =>
  liesAhead(since, at) || liesAhead(warnedAt, at);
