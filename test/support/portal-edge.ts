import { portalEdge } from "../../src/portal/edge.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { type EdgeServer, startEdgeServer } from "../../src/runtime/http/edge-server.ts";
import { createMetrics } from "../../src/runtime/process/metrics.ts";
import { silentLog } from "./silent-log.ts";

/** The public listener with the portal alone: needs no services and no store. */
export async function startPortalEdge(): Promise<EdgeServer & { readonly url: string }> {
  const values = { version: "1.2.3", issuer: "https://sign-on.example", gatewayUrl: "https://gateway.example" };
  const server = await startEdgeServer({
    host: "127.0.0.1",
    port: 0,
    areas: [portalEdge(values)],
    log: silentLog,
    metrics: createMetrics(),
    random: systemRandom,
  });
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}

/** The same for all tests of a suite. To be called within `describe`, before its `beforeAll`. */
export function servedPortal(): { readonly url: string } {
  let portal: Awaited<ReturnType<typeof startPortalEdge>>;
  beforeAll(async () => {
    portal = await startPortalEdge();
  });
  afterAll(() => portal.stop(0));
  return {
    get url() {
      return portal.url;
    },
  };
}
