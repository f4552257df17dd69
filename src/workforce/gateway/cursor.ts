import { type IdKind, parseId } from "#runtime/basis/ids.ts";
import type { PageStart } from "../page.ts";
import { openCursor, sealCursor } from "./sealed-cursor.ts";

/** Unix milliseconds, a space, the id of an entry. */
const POSITION = /^(\d{1,15}) (\S{1,40})$/;

/** The list that a cursor is good for: one operation at one path, read with one key. */
interface PageScope {
  readonly operationId: string;
  readonly path: string;
  readonly key: string;
}

/** The cursor of the page that begins there. */
export const toCursor = (scope: PageScope, { createdAt, id }: PageStart): string =>
  sealCursor(cursorScope(scope), `${createdAt.getTime()} ${id}`);

/**
 * Where the page of a cursor begins; `undefined` if the text is not a cursor, or one of another list or key. `kind` is
 * that of the entries.
 */
export function parseCursor(scope: PageScope, kind: IdKind, cursor: string): PageStart | undefined {
  const [, milliseconds, text = ""] = POSITION.exec(openCursor(cursorScope(scope), cursor) ?? "") ?? [];
  const id = parseId(kind, text);
  return id === undefined ? undefined : { createdAt: new Date(Number(milliseconds)), id };
}

const cursorScope = ({ operationId, path, key }: PageScope) => ({ key, list: `${operationId} ${path}` });
