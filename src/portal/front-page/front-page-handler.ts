import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { contractLinks } from "../contracts/published-contracts.ts";
import { guides } from "../guides/published-guides.ts";
import { packedText } from "../packed-text.ts";
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
  const packed = packedText();
  const common = pageHeaders({ cacheControl: "public, max-age=60" });
  return {
    async handle({ headers }) {
      const sent = await packed(body, headers["accept-encoding"]);
      return { status: 200, type: "text/html", headers: { ...common, ...sent.headers }, body: sent.body };
    },
    invalid: async (request, parts) => refused(values.gatewayUrl, request, parts),
  };
}
