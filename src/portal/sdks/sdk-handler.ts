import { archiveReplies } from "../archives.ts";
import { portalOperation } from "../portal-operation.ts";
import { notFound } from "../unknown-address/not-found-reply.ts";
import { SDK_LANGUAGES, sdkArchive } from "./sdk-archive.ts";

/** GET /sdks/{file}: an SDK to install from. */
export function getSdkOperation(gatewayUrl: string) {
  const replyWith = archiveReplies(sdkArchive);
  return portalOperation<"getSdk">(gatewayUrl, async (request) => {
    const language = SDK_LANGUAGES.find((one) => request.params.file === `${one}.tgz`);
    return language === undefined ? notFound(gatewayUrl, request) : replyWith(language);
  });
}
