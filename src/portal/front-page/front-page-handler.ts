import { contractLinks } from "../contracts/published-contracts.ts";
import { guides } from "../guides/published-guides.ts";
import { pageReplies, portalOperation } from "../portal-operation.ts";
import { type FrontPageValues, frontPage } from "./front-page.ts";

/** GET /: what runs here. Rendered once; nothing on it depends on the request. */
export function showFrontPageOperation(values: Omit<FrontPageValues, "contracts" | "guides">) {
  const contracts = {
    signOn: contractLinks("sign-on"),
    gateway: contractLinks("gateway"),
    webhooks: contractLinks("webhooks.asyncapi"),
  };
  const page = frontPage({ ...values, guides: guides(), contracts });
  const reply = pageReplies("public, max-age=60");
  return portalOperation<"showFrontPage">(values.gatewayUrl, (request) => reply("", () => page, request));
}
