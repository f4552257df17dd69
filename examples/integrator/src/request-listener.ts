import type { IncomingMessage, RequestListener } from "node:http";
import { messagePage } from "./pages/message-page.ts";
import { page, type Reply, SECURITY_HEADERS } from "./replies.ts";
import { findRoute } from "./route.ts";
import { routes } from "./routes.ts";
import type { Settings } from "./settings.ts";

/** Finds the route and sends its reply; a failing route does not end the program. */
export function requestListener(settings: Settings): RequestListener {
  const table = routes(settings);
  const hosts = ownHosts(settings);

  async function replyTo(request: IncomingMessage): Promise<Reply> {
    // A foreign site can give its own name our address (DNS rebinding) and would then read this page as its own.
    if (!hosts.has(request.headers.host?.toLowerCase() ?? "")) {
      return page(messagePage("Wrong address", `Please open ${settings.sampleUrl}.`), 421);
    }
    const url = URL.parse(request.url ?? "", settings.sampleUrl);
    const found = url && findRoute(table, url.pathname);
    if (!found) return page(messagePage("Nothing here", "This program has no such page."), 404);
    const { route, parameter } = found;
    if (route.method !== (request.method === "HEAD" ? "GET" : request.method)) {
      return page(messagePage("Wrong method", `This address takes ${route.method}.`), 405, { allow: route.method });
    }
    return route.reply({ request, query: url.searchParams, parameter });
  }

  return async (request, response) => {
    const { status, headers, body } = await replyTo(request).catch((error: unknown): Reply => {
      console.error(`${request.method} ${request.url?.split("?")[0]} failed:`, error);
      return page(messagePage("That went wrong", "The terminal in which this program runs says why."), 500);
    });
    response.writeHead(status, { ...SECURITY_HEADERS, ...headers }).end(body);
  };
}

/** Host names that this program answers for: those of its settings, and this machine's own. */
function ownHosts({ sampleUrl, redirectUri, endpointUrl }: Settings): Set<string> {
  const { port } = new URL(sampleUrl);
  const local = ["localhost", "127.0.0.1", "[::1]"].map((name) => (port ? `${name}:${port}` : name));
  return new Set([...local, ...[sampleUrl, redirectUri, endpointUrl].map((address) => new URL(address).host)]);
}
