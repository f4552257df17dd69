import type { SealedRow } from "#runtime/sealing/purposes.ts";

/** What seals positions, and opens what it has sealed. */
export interface Seals {
  readonly seal: (plaintext: Uint8Array, row: SealedRow) => Buffer;
  readonly open: (sealed: Uint8Array, row: SealedRow) => Buffer;
}

const LENGTH_MAX = 200;
const POSITION_BYTES = 8;

/** A position as a text that can be neither read nor changed, nor used for another row; all are equally long. */
export function sealPosition(sealer: Pick<Seals, "seal">, row: SealedRow, position: number): string {
  const bytes = Buffer.alloc(POSITION_BYTES);
  bytes.writeBigUInt64BE(BigInt(position));
  return sealer.seal(bytes, row).toString("base64url");
}

/** The position; `undefined` when the text is not one that was sealed for the row. */
export function openPosition(sealer: Pick<Seals, "open">, row: SealedRow, text: string): number | undefined {
  const sealed = Buffer.from(text.slice(0, LENGTH_MAX), "base64url");
  // One text for one position: a decoder that forgives would take others for it.
  if (sealed.toString("base64url") !== text) return undefined;
  try {
    const position = sealer.open(sealed, row);
    return position.length === POSITION_BYTES ? Number(position.readBigUInt64BE()) : undefined;
  } catch {
    return undefined;
  }
}
