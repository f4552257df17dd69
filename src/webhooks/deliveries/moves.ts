import type { Kysely, Transaction } from "kysely";
import type { WebhooksTables } from "../tables.ts";
import type { Attempt } from "./attempt.ts";
import type { SettledState } from "./delivery.ts";
import type { DeliveryReason } from "./delivery-reason.ts";

/** A delivery that needs nothing more. */
export interface Settlement {
  readonly sequence: number;
  /** Ignored if the delivery has another one by now. */
  readonly fence: number;
  readonly state: SettledState;
  readonly reason?: DeliveryReason | undefined;
  /** The attempts with the one that has just ended, as text; absent when none has. */
  readonly made?: string | undefined;
  /** -1 when the last attempt that was counted was never made. */
  readonly attempts: 0 | -1;
}

/** Which of the deliveries that a program from before migration 0006 made. */
type FormerDeliveries =
  /** These, whatever their state. */
  | { readonly ids: readonly string[] }
  /** What claims of these names took. */
  | { readonly claims: readonly string[] }
  /**
   * The oldest that are pending, or when there are none the oldest that are settled. What is under way is left to the
   * program that claimed it until its lease passes.
   */
  | { readonly limit: number; readonly settledToo?: boolean };

/** How deliveries go from one table to the next. */
export interface DeliveryMoves {
  /**
   * Moves deliveries out of the queue and appends them to what is settled; returns the sequences of those that were still
   * as the caller saw them: under way, or not.
   */
  settleRows(
    tx: Transaction<WebhooksTables>,
    settlements: readonly Settlement[],
    seen: { readonly at: Date; readonly underWay: boolean },
  ): Promise<ReadonlySet<number>>;
  /**
   * Moves deliveries from the earlier tables to where this program has them, with their sequences, fences and attempts;
   * returns how many. Until they are moved, lists read them where they are.
   */
  moveFormer(tx: Transaction<WebhooksTables>, which: FormerDeliveries, now: Date): Promise<number>;
  /** The attempts of deliveries that are not moved yet, by their sequences, in order of round and number. */
  attemptsOfFormer(
    db: Kysely<WebhooksTables>,
    deliveries: readonly number[],
  ): Promise<ReadonlyMap<number, readonly Attempt[]>>;
}
