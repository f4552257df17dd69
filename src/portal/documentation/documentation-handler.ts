import type { Servers } from "../contracts/published-contracts.ts";
import { DOCUMENTED } from "../frame/documented.ts";
import { pageReplies, portalOperation } from "../portal-operation.ts";
import { notFound } from "../unknown-address/not-found-reply.ts";
import { documentationIndexPage } from "./documentation-index-page.ts";
import { documentationPage } from "./documentation-page.ts";

/** GET /docs: the index of what can be read and downloaded. */
export function showDocumentationIndexOperation(gatewayUrl: string) {
  const reply = pageReplies("public, max-age=300");
  return portalOperation<"showDocumentationIndex">(gatewayUrl, async (request) => {
    const { language } = request.query;
    return reply(language ?? "", () => documentationIndexPage(language), request);
  });
}

/** GET /docs/{page}: a contract to read. */
export function showDocumentationOperation(servers: Servers) {
  const { gatewayUrl } = servers;
  const reply = pageReplies("public, max-age=300");
  return portalOperation<"showDocumentation">(gatewayUrl, async (request) => {
    const { language } = request.query;
    const documented = DOCUMENTED.find(({ page }) => page === request.params.page);
    if (documented === undefined) return notFound(gatewayUrl, request);
    return reply(`${documented.page} ${language}`, () => documentationPage(documented, servers, language), request);
  });
}
