import type { operations } from "#generated/types/portal.ts";
import type { EdgeRequest, Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { packedPages } from "./packed-text.ts";
import { refused } from "./unknown-address/not-found-reply.ts";

/** Makes an operation of its answer; a request that breaks the contract is refused by all operations alike. */
export const portalOperation = <Id extends keyof operations>(
  gatewayUrl: string,
  handle: Operation<operations[Id]>["handle"],
): Operation<operations[Id]> => ({
  handle,
  invalid: async (request, parts) => refused(gatewayUrl, request, parts),
});

/** Answers with pages, each drawn and compressed when it is first asked for. Their names come from a closed list. */
export function pageReplies<const C extends string>(cacheControl: C) {
  const packed = packedPages();
  const common = pageHeaders({ cacheControl });
  return async (name: string, draw: () => string, { headers }: Pick<EdgeRequest, "headers">) => {
    const sent = await packed(name, draw, headers["accept-encoding"]);
    return { status: 200, type: "text/html", headers: { ...common, ...sent.headers }, body: sent.body } as const;
  };
}

/**
 * An address with others below it, whose list is on another page: leads there (R-X376).
 * @param place path of that page, and the place on it.
 */
export const leadOperation = (place: string, gatewayUrl: string) =>
  portalOperation<"findGuides">(gatewayUrl, async () => ({
    status: 303,
    headers: { location: place, "cache-control": "public, max-age=300" },
  }));
