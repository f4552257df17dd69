import type { Clock } from "#runtime/basis/clock.ts";
import { MINUTE_MS } from "#runtime/basis/durations.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { IntegrationId } from "#runtime/basis/ids.ts";

/** Counts what each integration has sent, in one process (R-X318, R-X344). */
export interface MinuteAllowance {
  /** Counts one, or so many; the seconds until the next minute when the present one has not so many left. */
  take(integrationId: IntegrationId, count?: number): number | undefined;
}

/** A number for each integration in each minute of the clock. Its memory is the integrations of the present minute. */
export function minuteAllowance(clock: Clock, perMinute: number): MinuteAllowance {
  let minute = -1;
  const taken = new Map<IntegrationId, number>();
  return {
    take(integrationId, count = 1) {
      const at = clock.now().getTime();
      const present = Math.floor(at / MINUTE_MS);
      if (present !== minute) taken.clear();
      minute = present;
      const before = taken.get(integrationId) ?? 0;
      if (before + count > perMinute) return Math.ceil(((present + 1) * MINUTE_MS - at) / 1_000);
      taken.set(integrationId, before + count);
      return undefined;
    },
  };
}

/** What is counted, in the words of a refusal: `Too many <what>: the next can be <done> in …`. */
interface Counted {
  readonly reason: string;
  readonly what: string;
  readonly done: string;
}

/** Counts one, or so many. @throws RESOURCE_EXHAUSTED with the reason and the seconds to wait. */
export function takeOrRefuse(
  allowance: MinuteAllowance,
  integrationId: IntegrationId,
  { reason, what, done }: Counted,
  count?: number,
): void {
  const retryAfterSeconds = allowance.take(integrationId, count);
  if (retryAfterSeconds === undefined) return;
  const sentence = `Too many ${what}: the next can be ${done} in ${retryAfterSeconds} seconds.`;
  throw new Failure("RESOURCE_EXHAUSTED", reason, sentence, { retryAfterSeconds });
}
