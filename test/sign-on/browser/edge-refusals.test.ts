import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { startEdgeServer } from "../../../src/runtime/http/edge-server.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import type { Carrier } from "../../../src/runtime/rpc/call.ts";
import { signOnEdge } from "../../../src/sign-on/edge.ts";
import { call } from "../../support/http.ts";
import { recordedLog } from "../../support/recorded-log.ts";

/** Services that take every note and are asked nothing else. */
const connect = (() => new Proxy({}, { get: () => async () => ({}) })) as unknown as Carrier["connect"];

describe("requests that the edge rejects for sign-on", () => {
  it("are summed up in the log at the latest when the edge stops (R-X155)", async () => {
    const log = recordedLog();
    const issuer = "https://sign-on.example";
    const server = await startEdgeServer({
      host: "127.0.0.1",
      port: 0,
      areas: [signOnEdge({ connect, issuer, jwksMaxAgeSeconds: 0, log })],
      log,
      metrics: createMetrics(),
      random: systemRandom,
    });
    for (let number = 0; number < 25; number++)
      expect((await call(`http://127.0.0.1:${server.port}`, "/auth/nowhere")).status).toBe(404);
    await server.stop(1_000);
    expect(log.lines.filter(({ sentence }) => sentence === "A request was refused.")).toHaveLength(20);
    expect(log.lines.map(({ fields }) => fields)).toContainEqual({ reason: "refused address.unknown", count: 5 });
  });
});
