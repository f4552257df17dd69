import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { operations } from "#generated/types/portal.ts";
import { acceptedCoding } from "#runtime/http/content-coding.ts";
import type { Operation } from "#runtime/http/operation.ts";
import { type Asset, assets } from "#runtime/pages/assets.ts";
import { documentationAssets } from "../documentation/documentation-assets.ts";
import { guideStylesheet } from "../guides/guide-page.ts";
import { notFound, refused } from "../problem-reply.ts";

/** The name carries a digest of the content, so a copy never goes stale. */
const KEEP = { "cache-control": "public, max-age=31536000, immutable" } as const;
const VARY = { vary: "accept-encoding" } as const;

const FILES: ReadonlyMap<string, Asset> = new Map(
  [...Object.values(assets), ...Object.values(documentationAssets), guideStylesheet].map((asset) => [
    asset.fileName,
    asset,
  ]),
);

/** GET /assets/{file}: stylesheets, the icon, and the scripts that draw the documentation. */
export function getAssetOperation(gatewayUrl: string): Operation<operations["getAsset"]> {
  // Compressed when first asked for: most processes never are, and two megabytes take a fifth of a second.
  const packed = new Map<string, Promise<Buffer>>();
  const pack = (asset: Asset): Promise<Buffer> => {
    const known = packed.get(asset.fileName) ?? promisify(gzip)(asset.body, { level: 9 });
    packed.set(asset.fileName, known);
    return known;
  };
  return {
    async handle({ params, headers, requestId }) {
      const asset = FILES.get(params.file);
      if (asset === undefined) return notFound(gatewayUrl, requestId);
      const type = asset.mediaType.split(";", 1)[0] as "text/css" | "text/javascript" | "image/svg+xml";
      if (type !== "text/javascript") return { status: 200, type, headers: KEEP, body: asset.body };
      if (acceptedCoding(headers["accept-encoding"], ["gzip"]).coding === undefined)
        return { status: 200, type, headers: { ...KEEP, ...VARY }, body: asset.body };
      // Bytes, which the contract calls a string as every content has it before its coding.
      const body = (await pack(asset)) as unknown as string;
      return { status: 200, type, headers: { ...KEEP, ...VARY, "content-encoding": "gzip" }, body };
    },
    invalid: async ({ requestId }, parts) => refused(gatewayUrl, requestId, parts),
  };
}
