import type { Delivery } from "../deliveries/delivery.ts";
import type { AttemptState } from "../deliveries/outcome.ts";

/** A claimed attempt whose outcome is known, or known to be lost. */
export interface EndedClaim {
  readonly delivery: Delivery;
  readonly outcome: Exclude<AttemptState, "in_flight">;
  readonly httpStatus?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly retryAfter?: string | undefined;
  readonly responseExcerpt?: Uint8Array | undefined;
}
