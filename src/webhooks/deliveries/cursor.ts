/**
 * A place in a list, newest first: the sequence of the last one seen, so that rows which come meanwhile shift nothing.
 * Opaque to callers.
 */
export const toCursor = (sequence: number): string => Buffer.from(String(sequence)).toString("base64url");

/** The sequence, or `undefined` when the text is no cursor of ours. */
export function parseCursor(cursor: string): number | undefined {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const sequence = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  return sequence !== undefined && toCursor(sequence) === cursor ? sequence : undefined;
}
