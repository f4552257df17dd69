import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { notFound } from "../problem-reply.ts";
import { DOCUMENTED, documentationPage } from "./documentation-page.ts";
import { drawnPageHeaders } from "./drawn-page-headers.ts";

/** GET /docs/{page}: a contract to read. Every page is rendered once, at start. */
export function showDocumentationOperation({
  issuer,
  gatewayUrl,
}: {
  readonly issuer: string;
  readonly gatewayUrl: string;
}): Operation<operations["showDocumentation"]> {
  const servers: Readonly<Record<string, string>> = { "sign-on": issuer, gateway: gatewayUrl };
  const pages = new Map(
    DOCUMENTED.map((documented) => [
      documented.page,
      documentationPage({ documented, server: servers[documented.page] }),
    ]),
  );
  const headers = { ...drawnPageHeaders(), "cache-control": "public, max-age=300" };
  return {
    async handle({ params, requestId }) {
      const body = pages.get(params.page);
      return body === undefined ? notFound(gatewayUrl, requestId) : { status: 200, type: "text/html", headers, body };
    },
    invalid: async ({ requestId }) => notFound(gatewayUrl, requestId),
  };
}
