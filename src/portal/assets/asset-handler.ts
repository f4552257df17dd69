import type { operations } from "#generated/types/portal.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { assets } from "#runtime/pages/assets.ts";
import { notFound } from "../problem-reply.ts";

/** The name carries a digest of the content, so a copy never goes stale. */
const KEEP = { "cache-control": "public, max-age=31536000, immutable" } as const;

/** GET /assets/{file}: the stylesheet and the icon. */
export const getAssetOperation = (gatewayUrl: string): Operation<operations["getAsset"]> => ({
  async handle({ params, requestId }) {
    if (params.file === assets.stylesheet.fileName)
      return { status: 200, type: "text/css", headers: KEEP, body: assets.stylesheet.body };
    if (params.file === assets.icon.fileName)
      return { status: 200, type: "image/svg+xml", headers: KEEP, body: assets.icon.body };
    return notFound(gatewayUrl, requestId);
  },
  invalid: async ({ requestId }) => notFound(gatewayUrl, requestId),
});
