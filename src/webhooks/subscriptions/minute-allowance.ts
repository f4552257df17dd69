import type { Clock } from "#runtime/basis/clock.ts";
import type { IntegrationId } from "#runtime/basis/ids.ts";

const MINUTE_MS = 60_000;

/** Counts what each integration has sent, in one process (R-X318, R-X344). */
export interface MinuteAllowance {
  /** Counts one; the seconds until the next minute when the present one has had enough. */
  take(integrationId: IntegrationId): number | undefined;
}

/** A number for each integration in each minute of the clock. Its memory is the integrations of the present minute. */
export function minuteAllowance(clock: Clock, perMinute: number): MinuteAllowance {
  let minute = -1;
  const taken = new Map<IntegrationId, number>();
  return {
    take(integrationId) {
      const at = clock.now().getTime();
      const present = Math.floor(at / MINUTE_MS);
      if (present !== minute) taken.clear();
      minute = present;
      const before = taken.get(integrationId) ?? 0;
      if (before >= perMinute) return Math.ceil(((present + 1) * MINUTE_MS - at) / 1_000);
      taken.set(integrationId, before + 1);
      return undefined;
    },
  };
}
