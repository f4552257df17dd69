import type { Clock } from "#runtime/basis/clock.ts";
import type { IntegrationId } from "#runtime/basis/ids.ts";

/** Test events of one integration in each minute of the clock, in one process (R-X318). */
export const TEST_EVENTS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Counts test events. */
export interface TestEventAllowance {
  /** Counts one; the seconds until the next minute when the present one has had enough. */
  take(integrationId: IntegrationId): number | undefined;
}

/** Its memory is the integrations of the present minute. */
export function testEventAllowance(clock: Clock): TestEventAllowance {
  let minute = -1;
  const taken = new Map<IntegrationId, number>();
  return {
    take(integrationId) {
      const at = clock.now().getTime();
      const present = Math.floor(at / MINUTE_MS);
      if (present !== minute) taken.clear();
      minute = present;
      const before = taken.get(integrationId) ?? 0;
      if (before >= TEST_EVENTS_PER_MINUTE) return Math.ceil(((present + 1) * MINUTE_MS - at) / 1_000);
      taken.set(integrationId, before + 1);
      return undefined;
    },
  };
}
