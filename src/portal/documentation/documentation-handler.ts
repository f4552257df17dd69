import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import { DOCUMENTED } from "../frame/documented.ts";
import { packedPages } from "../packed-text.ts";
import { notFound, refused } from "../unknown-address/not-found-reply.ts";
import { documentationIndexPage } from "./documentation-index-page.ts";
import { documentationPage } from "./documentation-page.ts";

/** GET /docs: the index of what can be read and downloaded. */
export function showDocumentationIndexOperation(gatewayUrl: string): Operation<operations["showDocumentationIndex"]> {
  const packed = packedPages();
  const common = pageHeaders({ cacheControl: "public, max-age=300" });
  return {
    async handle({ query: { language }, headers }) {
      const draw = () => documentationIndexPage(language);
      const sent = await packed(language ?? "", draw, headers["accept-encoding"]);
      return { status: 200, type: "text/html", headers: { ...common, ...sent.headers }, body: sent.body };
    },
    invalid: async (request, parts) => refused(gatewayUrl, request, parts),
  };
}

/** GET /docs/{page}: a contract to read. */
export function showDocumentationOperation(servers: Servers): Operation<operations["showDocumentation"]> {
  const { gatewayUrl } = servers;
  const packed = packedPages();
  const common = pageHeaders({ cacheControl: "public, max-age=300" });
  return {
    async handle(request) {
      const {
        params,
        query: { language },
        headers,
      } = request;
      const documented = DOCUMENTED.find(({ page }) => page === params.page);
      if (documented === undefined) return notFound(gatewayUrl, request);
      const draw = () => documentationPage(documented, servers, language);
      const sent = await packed(`${documented.page} ${language}`, draw, headers["accept-encoding"]);
      return { status: 200, type: "text/html", headers: { ...common, ...sent.headers }, body: sent.body };
    },
    invalid: async (request, parts) => refused(gatewayUrl, request, parts),
  };
}
