/**
 * A position in a list, newest first: the sequence of the last one seen, so that new rows shift nothing.
 * Opaque to callers.
 */
export const toCursor = (sequence: number): string => Buffer.from(String(sequence)).toString("base64url");

/** The sequence, or `undefined` when the text is not a cursor of ours. */
export function parseCursor(cursor: string): number | undefined {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const sequence = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  return sequence !== undefined && toCursor(sequence) === cursor ? sequence : undefined;
}
