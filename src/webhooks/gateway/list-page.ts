import { type Asking, type Refused, refusedPart, type WebhooksId } from "./webhook-operation.ts";

/** Operations that answer a page of a list. */
type ListId = Extract<WebhooksId, "listSubscriptions" | "listEvents" | "listDeliveries" | "listRecoveries">;

/** Entries of a page unless the request says how many. */
const LIMIT_DEFAULT = 50;

/**
 * The part of a list that is asked for. A cursor of another list, or of another key, is refused before anything is
 * read (R-X297).
 */
export function startOf<Id extends ListId>({
  request,
  keyed,
}: Pick<Asking<Id>, "request" | "keyed">): { readonly limit: number; readonly cursor: string | null } | Refused {
  const { limit = LIMIT_DEFAULT, cursor } = request.query as { readonly limit?: number; readonly cursor?: string };
  const position = cursor === undefined ? null : keyed.parseCursor(request, cursor);
  if (position === undefined)
    return refusedPart({
      in: "query",
      name: "cursor",
      detail: "is not one that this list gave to this key; take it from `next`, or leave it out to begin again",
    });
  // Parameters are text whatever their schema says; it has made sure that this one is a number.
  return { limit: Number(limit), cursor: position };
}

/** A page as the contract has it; without `next` it is the last one. */
export const pageOf = <Id extends ListId, Entry>(
  { request, keyed }: Pick<Asking<Id>, "request" | "keyed">,
  data: Entry[],
  nextCursor: string | null | undefined,
): { data: Entry[]; next?: string } =>
  typeof nextCursor === "string" ? { data, next: keyed.toCursor(request, nextCursor) } : { data };
