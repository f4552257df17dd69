import type { Servers } from "../contracts/published-contracts.ts";
import { pageReplies, portalOperation } from "../portal-operation.ts";
import { notFound } from "../unknown-address/not-found-reply.ts";
import { guidePage } from "./guide-page.ts";
import { guides, publishedGuide } from "./published-guides.ts";

/** GET /docs/guides/{guide}: a guide to read, or its Markdown. */
export function showGuideOperation(servers: Servers) {
  const { gatewayUrl } = servers;
  const reply = pageReplies("public, max-age=300");
  return portalOperation<"showGuide">(gatewayUrl, async (request) => {
    const { language } = request.query;
    const asked = request.params.guide;
    const guide = guides().find(({ name }) => asked === name || asked === `${name}.md`);
    if (guide === undefined) return notFound(gatewayUrl, request);
    if (asked === guide.name)
      return reply(`${asked} ${language}`, () => guidePage(publishedGuide(guide, servers), language), request);
    const source = await reply(asked, () => publishedGuide(guide, servers).markdown, request);
    return { ...source, type: "text/markdown" };
  });
}
