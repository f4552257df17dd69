import { createHmac, timingSafeEqual } from "node:crypto";

const SEAL_BYTES = 16;

/** What a cursor is valid for. */
export interface CursorScope {
  /** The API key of the request: the edge holds no secret of its own, and the integrator has this one anyway. */
  readonly key: string;
  /** Names one list, for example by its operation and path. */
  readonly list: string;
}

/** The cursor of a position in a list: base64url, opaque to integrators, worthless for any other list or key (R-G9). */
export function sealCursor(scope: CursorScope, position: string): string {
  const bytes = Buffer.from(position);
  return Buffer.concat([seal(scope, bytes), bytes]).toString("base64url");
}

/**
 * The position in a cursor; `undefined` if the text is not a cursor, or one of another list or key. A holder of the key
 * could make a seal, so the content is to be checked as well.
 */
export function openCursor(scope: CursorScope, cursor: string): string | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  // Buffer ignores what is not base64url; a cursor has one spelling.
  if (bytes.length <= SEAL_BYTES || bytes.toString("base64url") !== cursor) return undefined;
  const position = bytes.subarray(SEAL_BYTES);
  return timingSafeEqual(bytes.subarray(0, SEAL_BYTES), seal(scope, position)) ? position.toString() : undefined;
}

const seal = ({ key, list }: CursorScope, position: Buffer): Buffer =>
  createHmac("sha256", key).update(`${list} `).update(position).digest().subarray(0, SEAL_BYTES);
