import { setImmediate as nextTurn } from "node:timers/promises";
import { TurnQueue } from "#runtime/basis/turn-queue.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { packedOnce } from "../packed-text.ts";
import { portalOperation } from "../portal-operation.ts";
import { makeFinder } from "./find.ts";
import { searchPage } from "./search-page.ts";

/**
 * GET /docs/search: what there is to the words of `q` (R-X193). The index is made when it is first asked for. A search takes
 * milliseconds and no credentials, so each has a turn of the event loop, however many come at once: others are served in between.
 */
export function searchDocumentationOperation(gatewayUrl: string) {
  let find: ReturnType<typeof makeFinder> | undefined;
  const turns = new TurnQueue();
  const common = pageHeaders({ cacheControl: "public, max-age=300" });
  return portalOperation<"searchDocumentation">(gatewayUrl, async ({ query, headers }) => {
    await turns.run(() => nextTurn());
    find ??= makeFinder();
    const words = query.q ?? "";
    const page = searchPage(words, find(words), query.language);
    const sent = await packedOnce(page, headers["accept-encoding"]);
    return { status: 200, type: "text/html", headers: { ...common, ...sent.headers }, body: sent.body };
  });
}
