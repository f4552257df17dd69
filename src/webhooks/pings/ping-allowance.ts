import type { Clock } from "#runtime/basis/clock.ts";
import { minuteAllowance, takeOrRefuse } from "../subscriptions/minute-allowance.ts";
import type { Scope } from "../subscriptions/scope.ts";

/** Pings that one integration may have sent in each minute of the clock, in one process (R-X344). */
export const PINGS_PER_MINUTE = 10;

/** Counts a ping. @throws RESOURCE_EXHAUSTED (too_many_pings) with the seconds to wait. */
export type CountPing = (scope: Scope) => void;

/** Counts the pings that integrations cause; operators may ping as often as they like. */
export function pingAllowance(clock: Clock): CountPing {
  const allowance = minuteAllowance(clock, PINGS_PER_MINUTE);
  return (scope) => {
    if (scope.kind === "integration") takeOrRefuse(allowance, scope.integrationId, PINGS);
  };
}

const PINGS = { reason: "too_many_pings", what: "pings", done: "sent" };
