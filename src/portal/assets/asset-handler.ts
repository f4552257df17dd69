import { type Asset, assets } from "#runtime/pages/assets.ts";
import { documentationStylesheet } from "../frame/documentation-frame.ts";
import { guideStylesheet } from "../guides/guide-page.ts";
import { packedText } from "../packed-text.ts";
import { portalOperation } from "../portal-operation.ts";
import { notFound } from "../unknown-address/not-found-reply.ts";

/** The name carries a digest of the content, so a copy never goes stale. */
const KEEP = { "cache-control": "public, max-age=31536000, immutable" } as const;

const FILES: ReadonlyMap<string, Asset> = new Map(
  [...Object.values(assets), documentationStylesheet, guideStylesheet].map((asset) => [asset.fileName, asset]),
);

/** GET /assets/{file}: stylesheets, the icon and the script. */
export function getAssetOperation(gatewayUrl: string) {
  const packed = packedText();
  return portalOperation<"getAsset">(gatewayUrl, async (request) => {
    const asset = FILES.get(request.params.file);
    if (asset === undefined) return notFound(gatewayUrl, request);
    const type = asset.mediaType.split(";", 1)[0] as "text/css" | "image/svg+xml";
    const sent = await packed(asset.body, request.headers["accept-encoding"]);
    return { status: 200, type, headers: { ...KEEP, ...sent.headers }, body: sent.body };
  });
}
