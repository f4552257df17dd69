import { portalOperation } from "../portal-operation.ts";
import { notFound } from "../unknown-address/not-found-reply.ts";
import { SDK_LANGUAGES, type SdkLanguage, sdkArchive } from "./sdk-archive.ts";

/** GET /sdks/{file}: an SDK to install from. Packed when first asked for: most processes never are. */
export function getSdkOperation(gatewayUrl: string) {
  const packed = new Map<SdkLanguage, Promise<Buffer>>();
  const pack = (language: SdkLanguage): Promise<Buffer> => {
    const archive = packed.get(language) ?? sdkArchive(language);
    packed.set(language, archive);
    // A failed reading is tried again by the next request.
    archive.catch(() => packed.delete(language));
    return archive;
  };
  const headers = { "cache-control": "public, max-age=300" } as const;
  return portalOperation<"getSdk">(gatewayUrl, async (request) => {
    const language = SDK_LANGUAGES.find((one) => request.params.file === `${one}.tgz`);
    if (language === undefined) return notFound(gatewayUrl, request);
    // Bytes, which the contract calls a string.
    const body = (await pack(language)) as unknown as string;
    return { status: 200, type: "application/gzip", headers, body };
  });
}
