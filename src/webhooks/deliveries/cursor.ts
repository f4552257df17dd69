/**
 * A position in a list, newest first: the sequence of the last one seen, so that new rows shift nothing.
 * Opaque to callers.
 */
export const toCursor = (sequence: number): string => Buffer.from(String(sequence)).toString("base64url");

/**
 * The sequence, or `undefined` when the text is not a cursor of ours. In a store that was restored, sequences have as many
 * digits as a safe integer (R-X336).
 */
export function parseCursor(cursor: string): number | undefined {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const sequence = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(sequence) && toCursor(sequence) === cursor ? sequence : undefined;
}
