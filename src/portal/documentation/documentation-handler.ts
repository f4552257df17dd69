import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import { notFound, refused } from "../problem-reply.ts";
import { documentationIndexPage } from "./documentation-index-page.ts";
import { DOCUMENTED, documentationPage } from "./documentation-page.ts";
import { drawnPageHeaders } from "./drawn-page-headers.ts";

/** GET /docs: the index of what can be read and downloaded. Rendered once, at start. */
export function showDocumentationIndexOperation(gatewayUrl: string): Operation<operations["showDocumentationIndex"]> {
  const body = documentationIndexPage();
  const headers = pageHeaders({ cacheControl: "public, max-age=300" });
  return {
    handle: async () => ({ status: 200, type: "text/html", headers, body }),
    invalid: async ({ requestId }, parts) => refused(gatewayUrl, requestId, parts),
  };
}

/** GET /docs/{page}: a contract to read. Every page is rendered once, at start. */
export function showDocumentationOperation(servers: Servers): Operation<operations["showDocumentation"]> {
  const { gatewayUrl } = servers;
  const pages = new Map(DOCUMENTED.map((documented) => [documented.page, documentationPage(documented, servers)]));
  const headers = { ...drawnPageHeaders(), "cache-control": "public, max-age=300" };
  return {
    async handle({ params, requestId }) {
      const body = pages.get(params.page);
      return body === undefined ? notFound(gatewayUrl, requestId) : { status: 200, type: "text/html", headers, body };
    },
    invalid: async ({ requestId }, parts) => refused(gatewayUrl, requestId, parts),
  };
}
