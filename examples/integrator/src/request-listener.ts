import type { IncomingMessage, RequestListener } from "node:http";
import { messagePage } from "./pages/message-page.ts";
import { page, type Reply, securityHeaders } from "./replies.ts";
import { findRoutes } from "./route.ts";
import { routes } from "./routes.ts";
import type { Settings } from "./settings.ts";

/** Finds the route and sends its reply; a failing route does not end the program. */
export function requestListener(settings: Settings): RequestListener {
  const table = routes(settings);
  const hosts = ownHosts(settings);
  const everyAnswer = securityHeaders(settings.issuer);

  async function replyTo(request: IncomingMessage): Promise<Reply> {
    // A foreign site can give its own name our address (DNS rebinding) and would then read this page as its own.
    if (!hosts.has(request.headers.host?.toLowerCase() ?? "")) {
      return page(messagePage("Wrong address", `Please open ${settings.sampleUrl}.`), 421);
    }
    const url = URL.parse(request.url ?? "", settings.sampleUrl);
    const found = url ? findRoutes(table, url.pathname) : [];
    if (!url || found.length === 0) return page(messagePage("Nothing here", "This program has no such page."), 404);
    const method = request.method === "HEAD" ? "GET" : request.method;
    // The home page and the endpoint may have the same path.
    const asked = found.find(({ route }) => route.method === method);
    if (!asked) {
      const allow = found.map(({ route }) => route.method).join(", ");
      return page(messagePage("Wrong method", `This address takes ${allow}.`), 405, { allow });
    }
    return asked.route.reply({ request, query: url.searchParams, parameter: asked.parameter });
  }

  return async (request, response) => {
    const { status, headers, body } = await replyTo(request).catch((error: unknown): Reply => {
      console.error(`${request.method} ${request.url?.split("?")[0]} failed:`, error);
      return page(messagePage("That went wrong", "The terminal in which this program runs says why."), 500);
    });
    response.writeHead(status, { ...everyAnswer, ...headers }).end(body);
  };
}

/** Host names that this program answers for: those of its settings, and this machine's own. */
function ownHosts({ sampleUrl, redirectUri, endpointUrl }: Settings): Set<string> {
  const { port } = new URL(sampleUrl);
  const local = ["localhost", "127.0.0.1", "[::1]"].map((name) => (port ? `${name}:${port}` : name));
  return new Set([...local, ...[sampleUrl, redirectUri, endpointUrl].map((address) => new URL(address).host)]);
}
