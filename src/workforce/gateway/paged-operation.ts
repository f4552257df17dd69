import { operations as paths } from "#generated/operations/gateway.ts";
import type { PageStart as PageStartMessage } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { operations } from "#generated/types/gateway.ts";
import type { IdKind } from "#runtime/basis/ids.ts";
import type { InvalidPart, Operation, Reply, ValidRequest } from "#runtime/http/operation.ts";
import type { Page, PageStart } from "../page.ts";
import { fillPath, present } from "../wire.ts";
import { type CursorScope, parseCursor, toCursor } from "./cursor.ts";
import { ask, type GatewayEdge, type OkBody, type ProvenGateway, refuse } from "./gateway-operation.ts";

/** Operations that take `limit` and `cursor` (R-G9). */
type PagedId = "listUsers" | "listWorkersV2";

type PagedHandler<Id extends PagedId> = (
  request: Pick<ValidRequest<operations[Id]>, "params"> & { readonly page: Page; readonly gateway: ProvenGateway },
) => Promise<{ readonly body: OkBody<operations[Id]>; readonly next: PageStartMessage | null }>;

const FOREIGN_CURSOR: InvalidPart = {
  in: "query",
  name: "cursor",
  detail: "is not one that this list gave to this key; take it from the Link header, or leave it out to begin again",
};

/**
 * A gateway operation that answers in pages when it is asked to: a handler that translates gets the page, and tells where the next one
 * begins. A cursor of another list or key is known to be invalid before any list is read. `kind` is that of the entries.
 */
export const pagedOperation =
  <Id extends PagedId>(operationId: Id, kind: IdKind, handler: PagedHandler<Id>) =>
  (edge: GatewayEdge): Operation<operations[Id]> => ({
    async handle(request) {
      const { params, query, headers } = request;
      const path = fillPath(paths[operationId].path, params);
      const scope = { operationId, path, key: String(headers["x-api-key"]) };
      // Parameters are text whatever their schema says; it has made sure that this one is a number.
      const limit = query.limit === undefined ? null : Number(query.limit);
      const after = query.cursor === undefined ? null : parseCursor(scope, kind, query.cursor);
      if (after === undefined) return refuse(edge, request, [FOREIGN_CURSOR]) as Promise<Reply<operations[Id]>>;
      return ask(edge, request, async (gateway) => {
        const { body, next } = await handler({ params, page: { limit, after }, gateway });
        return { body, headers: next === null ? {} : { Link: linkTo(edge, scope, limit, toPageStart(next)) } };
      });
    },
    invalid: (request, parts) => refuse(edge, request, parts),
  });

const toPageStart = ({ createdAt, id }: PageStartMessage): PageStart => ({ createdAt: present(createdAt), id });

/** RFC 8288; absolute, since the address that a proxy shows may differ from the one we see. */
function linkTo({ gatewayUrl }: GatewayEdge, scope: CursorScope, limit: number | null, next: PageStart): string {
  const query = new URLSearchParams({ limit: String(limit), cursor: toCursor(scope, next) });
  return `<${gatewayUrl}${scope.path}?${query}>; rel="next"`;
}
