import type { Scope } from "./scope.ts";

/** The type of the event by which an endpoint is tried; no subscription can name it, and no pattern matches it (R-X271). */
export const PING = "webhook.ping";

/** Counts a ping. @throws RESOURCE_EXHAUSTED (too_many_pings) with the seconds to wait. */
export type CountPing = (scope: Scope) => void;
