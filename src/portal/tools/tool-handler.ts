import { join } from "node:path";
import { type ArchivedFile, archiveReplies, filesBelow, packArchive } from "../archives.ts";
import { portalOperation } from "../portal-operation.ts";
import { notFound } from "../unknown-address/not-found-reply.ts";

const REPOSITORY = join(import.meta.dirname, "..", "..", "..");
/** What npm packs of the folder, by its package.json; nothing else that may lie there. */
const PACKED = /^(package\.json|README\.md|events\.json|(bin|src)\/.+)$/;

/** The package in `desk/` (decision 0067), with the text of its licence. */
async function webhookTools(): Promise<Buffer> {
  const licence: ArchivedFile = { path: "LICENSE", source: join(REPOSITORY, "LICENSE") };
  const files = await filesBelow(join(REPOSITORY, "desk"));
  return packArchive("gatehouse-webhooks", [licence, ...files.filter(({ path }) => PACKED.test(path))]);
}

/** GET /tools/{file}: the tools for receivers, to install from (R-X412). */
export function getToolOperation(gatewayUrl: string) {
  const replyWith = archiveReplies(webhookTools);
  return portalOperation<"getTool">(gatewayUrl, async (request) =>
    request.params.file === "gatehouse-webhooks.tgz" ? replyWith("webhooks") : notFound(gatewayUrl, request),
  );
}
