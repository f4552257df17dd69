import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { portalEdge } from "../../src/portal/edge.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { startEdgeServer } from "../../src/runtime/http/edge-server.ts";
import { createMetrics } from "../../src/runtime/process/metrics.ts";
import type { Carrier } from "../../src/runtime/rpc/call.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { signOnEdge } from "../../src/sign-on/edge.ts";
import { webhooksEdge } from "../../src/webhooks/edge.ts";
import { gatewayEdge } from "../../src/workforce/edge.ts";
import { silentLog } from "./silent-log.ts";

interface Addresses {
  readonly issuer: string;
  readonly gatewayUrl: string;
}

/** The whole public listener as the edge role composes it. */
export async function startWholeEdge(connect: Carrier["connect"], { issuer, gatewayUrl }: Addresses) {
  const server = await startEdgeServer({
    host: "127.0.0.1",
    port: 0,
    areas: [
      signOnEdge({ connect, issuer, jwksMaxAgeSeconds: 300, log: silentLog }),
      gatewayEdge({ connect, gatewayUrl, version: "0.1.0", webhooks: webhooksEdge(connect) }),
      portalEdge({ version: "0.1.0", issuer, gatewayUrl }),
    ],
    log: silentLog,
    metrics: createMetrics(),
    random: systemRandom,
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(100) };
}

/** The same where no services can be reached: for what the edge answers by itself. */
export async function startEdgeAlone(addresses: Addresses) {
  const folder = mkdtempSync(join(tmpdir(), "gh-alone-"));
  const carrier = socketCarrier(join(folder, "edge.sock"));
  const edge = await startWholeEdge(carrier.connect, addresses);
  const stop = async () => {
    await edge.stop();
    await carrier.close();
    rmSync(folder, { recursive: true });
  };
  return { url: edge.url, stop };
}
