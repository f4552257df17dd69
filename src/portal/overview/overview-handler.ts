import type { Servers } from "../contracts/published-contracts.ts";
import { pageReplies, portalOperation } from "../portal-operation.ts";
import { overview } from "./overview.ts";

/** GET /llms.txt: the guides, contracts, SDKs and tools in one text. */
export function getOverviewOperation(servers: Servers) {
  const reply = pageReplies("public, max-age=300");
  return portalOperation<"getOverview">(servers.gatewayUrl, async (request) => ({
    ...(await reply("overview", () => overview(servers), request)),
    type: "text/plain",
  }));
}
