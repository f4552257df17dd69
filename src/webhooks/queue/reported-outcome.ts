import type { AttemptOutcome } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Delivery } from "../deliveries/delivery.ts";
import { type Outcome, toOutcome } from "../deliveries/outcome.ts";
import type { EndedClaim } from "./ended-claim.ts";

const EXCERPT_BYTES_MAX = 4_096;

/** True when the outcome is that of the attempt which is under way. */
export const isOf = (outcome: AttemptOutcome, { fence, round, attempts }: Delivery): boolean =>
  outcome.fence === fence && outcome.round === round && outcome.attemptNumber === attempts;

/** An outcome whose class is known, with what of it is kept. */
export function toEndedClaim(outcome: AttemptOutcome, delivery: Delivery): EndedClaim {
  const retryAfter = outcome.retryAfter ?? "";
  return {
    delivery,
    outcome: toOutcome(outcome.class) as Outcome,
    httpStatus: outcome.httpStatus ?? undefined,
    durationMs: Math.max(0, outcome.durationMs),
    retryAfter: /^[\x20-\x7e]{1,64}$/.test(retryAfter) ? retryAfter : undefined,
    responseExcerpt:
      outcome.responseExcerpt.length === 0 ? undefined : outcome.responseExcerpt.subarray(0, EXCERPT_BYTES_MAX),
  };
}
