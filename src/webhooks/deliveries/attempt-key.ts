import type { Delivery } from "./delivery.ts";

/** One attempt of one round of a delivery. */
export interface AttemptKey {
  /** The delivery's sequence. */
  readonly delivery: number;
  readonly round: number;
  readonly number: number;
}

/** The latest attempt of the delivery. */
export const keyOf = ({
  sequence,
  round,
  attempts,
}: Pick<Delivery, "sequence" | "round" | "attempts">): AttemptKey => ({
  delivery: sequence,
  round,
  number: attempts,
});
