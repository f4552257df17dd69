import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { SealedRow } from "#runtime/sealing/purposes.ts";
import { openPosition, type Seals, sealPosition } from "../deliveries/sealed-position.ts";

/** Positions in feeds as texts that callers keep and cannot read, change, or use for another subscription (R-X288). */
export interface FeedCursors {
  /** The position behind the delivery with that sequence. */
  write(subscriptionId: SubscriptionId, position: number): string;
  /** The sequence; `undefined` when the text is not a cursor of this subscription's feed. */
  read(subscriptionId: SubscriptionId, cursor: string): number | undefined;
}

export const feedCursors = (sealer: Seals): FeedCursors => ({
  write: (subscriptionId, position) => sealPosition(sealer, rowOf(subscriptionId), position),
  read: (subscriptionId, cursor) => openPosition(sealer, rowOf(subscriptionId), cursor),
});

const rowOf = (subscriptionId: SubscriptionId): SealedRow => `webhooks_feed/${subscriptionId}`;
