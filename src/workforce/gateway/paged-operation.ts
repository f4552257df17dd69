import type { PageStart as PageStartMessage } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { operations } from "#generated/types/gateway.ts";
import type { IdKind } from "#runtime/basis/ids.ts";
import type { InvalidPart, Operation, Reply, ValidRequest } from "#runtime/http/operation.ts";
import type { Page, PageStart } from "../page.ts";
import type { KnownRevision, Revised } from "../revisions.ts";
import { present } from "../wire.ts";
import { parseCursor, toCursor } from "./cursor.ts";
import { canonicalPath, type GatewayEdge, type ProvenGateway, refuse } from "./gateway-operation.ts";
import { keyIn } from "./keyed-request.ts";
import { askList, type ShowEntries } from "./list-operation.ts";

/** Operations that take `limit` and `cursor` (R-G9). */
type PagedId = "listUsers" | "listWorkersV2";

interface PagedReading<Id extends PagedId> extends Pick<ValidRequest<operations[Id]>, "params"> {
  readonly gateway: ProvenGateway;
  readonly known: KnownRevision;
  /** To be sent along. */
  readonly page: Page;
}

interface PagedAnswer extends Revised {
  readonly next: PageStartMessage | null;
}

const FOREIGN_CURSOR: InvalidPart = {
  in: "query",
  name: "cursor",
  detail: "is not one that this list gave to this key; take it from the Link header, or leave it out to begin again",
};

/**
 * A gateway operation that answers in pages on request: `read` gets the page, its answer says where the next one
 * begins. A cursor of another list or key is rejected before any list is read. `kind` is that of the entries.
 */
export const pagedOperation =
  <Id extends PagedId, Answer extends PagedAnswer>(
    operationId: Id,
    kind: IdKind,
    read: (reading: PagedReading<Id>) => AsyncIterable<Answer>,
    show: ShowEntries<operations[Id], Answer>,
  ) =>
  (edge: GatewayEdge): Operation<operations[Id]> => ({
    async handle(request) {
      const { params, query } = request;
      const scope = { operationId, path: canonicalPath(operationId, params), key: keyIn(request) };
      // Parameters are text whatever their schema says; it has made sure that this one is a number.
      const limit = query.limit === undefined ? null : Number(query.limit);
      const after = query.cursor === undefined ? null : parseCursor(scope, kind, query.cursor);
      if (after === undefined) return refuse(edge, request, [FOREIGN_CURSOR]) as Promise<Reply<operations[Id]>>;
      return askList(edge, request, {
        target: targetOf(scope.path, limit, query.cursor),
        read: (gateway, known) => read({ params, page: { limit, after }, gateway, known }),
        show,
        headers: ({ next }): Readonly<Record<string, string>> =>
          next === null ? {} : { Link: linkTo(edge, targetOf(scope.path, limit, toCursor(scope, toPageStart(next)))) },
      });
    },
    invalid: (request, parts) => refuse(edge, request, parts),
  });

const toPageStart = ({ createdAt, id }: PageStartMessage): PageStart => ({ createdAt: present(createdAt), id });

/** Path and query of one page. */
function targetOf(path: string, limit: number | null, cursor: string | undefined): string {
  const query = new URLSearchParams({
    ...(limit !== null && { limit: String(limit) }),
    ...(cursor !== undefined && { cursor }),
  });
  return query.size === 0 ? path : `${path}?${query}`;
}

/** RFC 8288; absolute, since the address that a proxy shows may differ from the one we see. */
const linkTo = ({ gatewayUrl }: GatewayEdge, target: string): string => `<${gatewayUrl}${target}>; rel="next"`;
