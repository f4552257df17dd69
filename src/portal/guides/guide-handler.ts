import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import { packedPages } from "../packed-text.ts";
import { notFound, refused } from "../unknown-address/not-found-reply.ts";
import { guidePage } from "./guide-page.ts";
import { guides, publishedGuide } from "./published-guides.ts";

/** GET /docs/guides/{guide}: a guide to read, or its Markdown. */
export function showGuideOperation(servers: Servers): Operation<operations["showGuide"]> {
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
      const guide = guides().find(({ name }) => params.guide === name || params.guide === `${name}.md`);
      if (guide === undefined) return notFound(gatewayUrl, request);
      const isSource = params.guide !== guide.name;
      const name = isSource ? params.guide : `${guide.name} ${language}`;
      const draw = () => {
        const published = publishedGuide(guide, servers);
        return isSource ? published.markdown : guidePage(published, language);
      };
      const sent = await packed(name, draw, headers["accept-encoding"]);
      return {
        status: 200,
        type: isSource ? "text/markdown" : "text/html",
        headers: { ...common, ...sent.headers },
        body: sent.body,
      };
    },
    invalid: async (request, parts) => refused(gatewayUrl, request, parts),
  };
}
