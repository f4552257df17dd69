import type { SealedRow } from "#runtime/sealing/purposes.ts";
import { parseCursor, toCursor } from "../deliveries/cursor.ts";
import { openPosition, type Seals, sealPosition } from "../deliveries/sealed-position.ts";

interface Paged {
  readonly cursor?: string | null | undefined;
}

interface Page {
  readonly nextCursor?: string | null | undefined;
}

interface Owner {
  readonly integrationId: string;
}

type PagedMethod<Scope extends Owner, Request extends Paged, Answer extends Page, Rest extends readonly unknown[]> = (
  scope: Scope,
  request: Request,
  ...rest: Rest
) => Promise<Answer>;

/**
 * Gives an integration the cursors of a list sealed, for its own use alone (R-X297): a position is a sequence that counts what every
 * integration has.
 * @param list names the list; a cursor is worthless for another one.
 */
export const sealingCursors =
  (sealer: Seals) =>
  <Scope extends Owner, Request extends Paged, Answer extends Page, Rest extends readonly unknown[]>(
    list: "deliveries" | "events" | "recoveries",
    method: PagedMethod<Scope, Request, Answer, Rest>,
  ): PagedMethod<Scope, Request, Answer, Rest> =>
  async (scope, request, ...rest) => {
    const row: SealedRow = `webhooks_lists/${scope.integrationId}/${list}`;
    const answer = await method(scope, { ...request, cursor: opened(sealer, row, request.cursor) }, ...rest);
    const position = typeof answer.nextCursor === "string" ? parseCursor(answer.nextCursor) : undefined;
    return { ...answer, nextCursor: position === undefined ? null : sealPosition(sealer, row, position) };
  };

/**
 * The cursor as the method knows it. What is not sealed is left to the method: a cursor that the program before this one has given
 * goes on, and any other text is refused.
 */
function opened(sealer: Seals, row: SealedRow, cursor: string | null | undefined): string | null {
  if (typeof cursor !== "string") return null;
  const position = openPosition(sealer, row, cursor);
  return position === undefined ? cursor : toCursor(position);
}
