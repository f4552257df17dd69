import { createHmac, timingSafeEqual } from "node:crypto";
import { type IdKind, parseId } from "#runtime/basis/ids.ts";
import type { PageStart } from "../page.ts";

const SEAL_BYTES = 16;
/** Unix milliseconds, a space, the id of an entry. */
const POSITION = /^(\d{1,15}) (\S{1,40})$/;

/** The list that a cursor is good for: one operation at one path, read with one key. */
interface CursorScope {
  readonly operationId: string;
  readonly path: string;
  readonly key: string;
}

/**
 * The cursor of the page that begins there: base64url, opaque to integrators, and worthless for any other list or key
 * (R-G9).
 */
export function toCursor(scope: CursorScope, { createdAt, id }: PageStart): string {
  const position = Buffer.from(`${createdAt.getTime()} ${id}`);
  return Buffer.concat([seal(scope, position), position]).toString("base64url");
}

/**
 * Where the page of a cursor begins; `undefined` if the text is no cursor, or one of another list or key. `kind` is
 * that of the entries.
 */
export function parseCursor(scope: CursorScope, kind: IdKind, cursor: string): PageStart | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  // Buffer passes over what is not base64url; a cursor has one spelling.
  if (bytes.length <= SEAL_BYTES || bytes.toString("base64url") !== cursor) return undefined;
  const position = bytes.subarray(SEAL_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, SEAL_BYTES), seal(scope, position))) return undefined;
  // Anyone who has the key could make a seal, so the content is checked as well.
  const [, milliseconds, text = ""] = POSITION.exec(position.toString()) ?? [];
  const id = parseId(kind, text);
  return id === undefined ? undefined : { createdAt: new Date(Number(milliseconds)), id };
}

/** The edge holds no secret of its own; the key of the request is one that the integrator has anyway. */
const seal = ({ operationId, path, key }: CursorScope, position: Buffer): Buffer =>
  createHmac("sha256", key).update(`${operationId} ${path} `).update(position).digest().subarray(0, SEAL_BYTES);
