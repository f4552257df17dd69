import { DAY_MS } from "#runtime/basis/durations.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { EndedAttempt } from "../deliveries/delivery.ts";
import type { FailedOutcome } from "../deliveries/outcome.ts";

/** Attempts in the first round (spec §6 rule 1); a plan of waits may make it fewer, never more. */
export const ATTEMPTS_MAX = 3;
/** A receiver cannot put an attempt off for longer. */
const RETRY_AFTER_MAX_MS = DAY_MS;
const STATUSES_WITH_RETRY_AFTER: readonly (number | undefined)[] = [429, 503];

/**
 * Whether another attempt follows, and when. The reason of an exhausted delivery is the outcome of its last attempt.
 */
export type NextAttempt =
  | { readonly kind: "delivered" }
  | { readonly kind: "exhausted"; readonly reason: FailedOutcome }
  | { readonly kind: "again"; readonly at: Date };

interface ScheduleDeps {
  readonly random: Random;
  /** 0.2: a wait is shortened or lengthened by up to a fifth. */
  readonly jitter: number;
}

/** The one file that knows how often and when (R-E6). Runs when an outcome is recorded or found lost. */
export function afterAttempt(ended: EndedAttempt, endedAt: Date, deps: ScheduleDeps): NextAttempt {
  const { outcome, delivery } = ended;
  const { attempts, delaysMs } = delivery;
  if (outcome === "acknowledged") return { kind: "delivered" };
  const delayMs = attempts < ATTEMPTS_MAX ? delaysMs[attempts - 1] : undefined;
  if (outcome === "gone" || delayMs === undefined) return { kind: "exhausted", reason: outcome };
  const waitMs = Math.max(jittered(delayMs, deps), askedFor(ended, endedAt));
  return { kind: "again", at: new Date(endedAt.getTime() + waitMs) };
}

/** Between 1 − jitter and 1 + jitter times the delay, both ends included. */
function jittered(delayMs: number, { random, jitter }: ScheduleDeps): number {
  const uniform = random.bytes(4).readUInt32BE() / 0xffff_ffff;
  return Math.round(delayMs * (1 + jitter * (2 * uniform - 1)));
}

/** What the receiver asked for in milliseconds; 0 when it asked for nothing that counts. */
function askedFor({ httpStatus, retryAfter }: EndedAttempt, endedAt: Date): number {
  if (retryAfter === undefined || !STATUSES_WITH_RETRY_AFTER.includes(httpStatus)) return 0;
  return Math.min(RETRY_AFTER_MAX_MS, Math.max(0, parseRetryAfter(retryAfter, endedAt) ?? 0));
}

/**
 * IMF-fixdate and the two obsolete forms that recipients still take (RFC 9110 §5.6.7); without the time zone, which is
 * always GMT.
 */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2}(?= GMT$)/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2}(?= GMT$)/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Milliseconds from `now`, negative for the past: seconds or a date (RFC 9110 §10.2.3); `undefined` for anything else.
 */
export function parseRetryAfter(text: string, now: Date): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = HTTP_DATES.map((form) => form.exec(text)?.[0]).find((found) => found !== undefined);
  const at = Date.parse(`${date} GMT`);
  return Number.isNaN(at) ? undefined : at - now.getTime();
}
