import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { SealedRow } from "#runtime/sealing/purposes.ts";

/** Positions in feeds as texts that callers keep and cannot read, change, or use for another subscription (R-X288). */
export interface FeedCursors {
  /** The position behind the delivery with that sequence. */
  write(subscriptionId: SubscriptionId, position: number): string;
  /** The sequence; `undefined` when the text is not a cursor of this subscription's feed. */
  read(subscriptionId: SubscriptionId, cursor: string): number | undefined;
}

/** What seals them, and opens what it has sealed. */
interface Seals {
  readonly seal: (plaintext: Uint8Array, row: SealedRow) => Buffer;
  readonly open: (sealed: Uint8Array, row: SealedRow) => Buffer;
}

const LENGTH_MAX = 200;
const POSITION_BYTES = 8;

export const feedCursors = (sealer: Seals): FeedCursors => ({
  write(subscriptionId, position) {
    const bytes = Buffer.alloc(POSITION_BYTES);
    bytes.writeBigUInt64BE(BigInt(position));
    return sealer.seal(bytes, rowOf(subscriptionId)).toString("base64url");
  },
  read(subscriptionId, cursor) {
    const sealed = Buffer.from(cursor.slice(0, LENGTH_MAX), "base64url");
    // One text for one position: a decoder that forgives would take others for it.
    if (sealed.toString("base64url") !== cursor) return undefined;
    const position = opened(sealer, sealed, rowOf(subscriptionId));
    return position?.length === POSITION_BYTES ? Number(position.readBigUInt64BE()) : undefined;
  },
});

const rowOf = (subscriptionId: SubscriptionId): SealedRow => `webhooks_feed/${subscriptionId}`;

function opened(sealer: Pick<Seals, "open">, sealed: Buffer, row: SealedRow): Buffer | undefined {
  try {
    return sealer.open(sealed, row);
  } catch {
    return undefined;
  }
}
