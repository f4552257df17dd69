import { join } from "node:path";
import { archiveReplies, filesBelow, packArchive } from "../archives.ts";
import { portalOperation } from "../portal-operation.ts";
import { notFound } from "../unknown-address/not-found-reply.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "..", "desk");
/** What npm packs of the folder, by its package.json; nothing else that may lie there. */
const PACKED = /^(package\.json|LICENSE|README\.md|events\.json|(bin|src)\/.+)$/;

/** The package in `desk/` (decision 0067). */
async function webhookTools(): Promise<Buffer> {
  const files = await filesBelow(FOLDER);
  return packArchive(
    "gatehouse-webhooks",
    files.filter(({ path }) => PACKED.test(path)),
  );
}

/** GET /tools/{file}: the tools for receivers, to install from (R-X412). */
export function getToolOperation(gatewayUrl: string) {
  const replyWith = archiveReplies(webhookTools);
  return portalOperation<"getTool">(gatewayUrl, async (request) =>
    request.params.file === "gatehouse-webhooks.tgz" ? replyWith("webhooks") : notFound(gatewayUrl, request),
  );
}
