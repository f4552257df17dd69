import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { contractLinks } from "../contracts/published-contracts.ts";
import { guides } from "../guides/published-guides.ts";
import { refused } from "../unknown-address/not-found-reply.ts";
import { type FrontPageValues, frontPage } from "./front-page.ts";

/** GET /: what runs here. Rendered once; nothing on it depends on the request. */
export function showFrontPageOperation(
  values: Omit<FrontPageValues, "contracts" | "guides">,
): Operation<operations["showFrontPage"]> {
  const contracts = {
    signOn: contractLinks("sign-on"),
    gateway: contractLinks("gateway"),
    webhooks: contractLinks("webhooks.asyncapi"),
  };
  const body = frontPage({ ...values, guides: guides(), contracts });
  const headers = pageHeaders({ cacheControl: "public, max-age=60" });
  return {
    handle: async () => ({ status: 200, type: "text/html", headers, body }),
    invalid: async (request, parts) => refused(values.gatewayUrl, request, parts),
  };
}
