import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import { notFound, refused } from "../unknown-address/not-found-reply.ts";
import { guidePage } from "./guide-page.ts";
import { publishedGuides } from "./published-guides.ts";

/** GET /docs/guides/{guide}: a guide to read, or its Markdown. Every page is rendered once, at start. */
export function showGuideOperation(servers: Servers): Operation<operations["showGuide"]> {
  const { gatewayUrl } = servers;
  const all = [...publishedGuides(servers).values()];
  const pages = new Map(all.map((guide) => [guide.name, guidePage(guide, all)]));
  const sources = new Map(all.map(({ name, markdown }) => [`${name}.md`, markdown]));
  const headers = pageHeaders({ cacheControl: "public, max-age=300" });
  return {
    async handle(request) {
      const { params } = request;
      const page = pages.get(params.guide);
      if (page !== undefined) return { status: 200, type: "text/html", headers, body: page };
      const source = sources.get(params.guide);
      if (source !== undefined) return { status: 200, type: "text/markdown", headers, body: source };
      return notFound(gatewayUrl, request);
    },
    invalid: async (request, parts) => refused(gatewayUrl, request, parts),
  };
}
