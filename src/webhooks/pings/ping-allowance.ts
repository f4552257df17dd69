import type { Clock } from "#runtime/basis/clock.ts";
import { minuteAllowance, takeOrRefuse } from "../subscriptions/minute-allowance.ts";
import type { CountPing } from "../subscriptions/ping.ts";

/** Pings that one integration may have sent in each minute of the clock, in one process (R-X344). */
export const PINGS_PER_MINUTE = 10;

/** Counts the pings that integrations cause; operators may ping as often as they like. */
export function pingAllowance(clock: Clock): CountPing {
  const allowance = minuteAllowance(clock, PINGS_PER_MINUTE);
  return (scope) => {
    if (scope.kind === "integration") takeOrRefuse(allowance, scope.integrationId, PINGS);
  };
}

const PINGS = { reason: "too_many_pings", what: "pings", done: "sent" };
