import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import { DOCUMENTED } from "../frame/documented.ts";
import { packedText } from "../packed-text.ts";
import { notFound, refused } from "../unknown-address/not-found-reply.ts";
import { documentationIndexPage } from "./documentation-index-page.ts";
import { documentationPage } from "./documentation-page.ts";

/** GET /docs: the index of what can be read and downloaded. Rendered once, at start. */
export function showDocumentationIndexOperation(gatewayUrl: string): Operation<operations["showDocumentationIndex"]> {
  const body = documentationIndexPage();
  const headers = pageHeaders({ cacheControl: "public, max-age=300" });
  return {
    handle: async () => ({ status: 200, type: "text/html", headers, body }),
    invalid: async (request, parts) => refused(gatewayUrl, request, parts),
  };
}

/** GET /docs/{page}: a contract to read. Every page is rendered once, when it is first asked for. */
export function showDocumentationOperation(servers: Servers): Operation<operations["showDocumentation"]> {
  const { gatewayUrl } = servers;
  const pages = new Map<string, string>();
  const packed = packedText();
  const find = (name: string): string | undefined => {
    const documented = DOCUMENTED.find(({ page }) => page === name);
    if (documented === undefined) return undefined;
    const text = pages.get(name) ?? documentationPage(documented, servers);
    pages.set(name, text);
    return text;
  };
  const common = pageHeaders({ cacheControl: "public, max-age=300" });
  return {
    async handle(request) {
      const { params, headers } = request;
      const text = find(params.page);
      if (text === undefined) return notFound(gatewayUrl, request);
      const sent = await packed(text, headers["accept-encoding"]);
      return { status: 200, type: "text/html", headers: { ...common, ...sent.headers }, body: sent.body };
    },
    invalid: async (request, parts) => refused(gatewayUrl, request, parts),
  };
}
