import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { type EdgeServer, startEdgeServer } from "../../../src/runtime/http/edge-server.ts";
import { silentLog } from "../../../src/runtime/process/log.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { socketCarrier } from "../../../src/runtime/rpc/socket-client.ts";
import { webhooksEdge } from "../../../src/webhooks/edge.ts";
import { gatewayEdge } from "../../../src/workforce/edge.ts";
import { call } from "../../support/http.ts";

const LIST = "/v1/instance-integrations";
const INSTALLATION = `${LIST}/installation_7Kq2mZx9Lw4TnB6RcV8Yd`;

describe("a slash at the end of a path of the gateway (R-X18)", () => {
  const folder = mkdtempSync(join(tmpdir(), "gh-slash-"));
  const carrier = socketCarrier(join(folder, "edge.sock"));
  let server: EdgeServer;

  beforeAll(async () => {
    const { connect } = carrier;
    const gatewayUrl = "https://gateway.example";
    server = await startEdgeServer({
      host: "127.0.0.1",
      port: 0,
      areas: [gatewayEdge({ connect, gatewayUrl, version: "0.1.0", webhooks: webhooksEdge(connect) })],
      log: silentLog,
      metrics: createMetrics(),
      random: systemRandom,
    });
  });
  afterAll(async () => {
    await server.stop(0);
    await carrier.close();
    rmSync(folder, { recursive: true });
  });

  const at = (path: string, method = "GET") =>
    call(`http://127.0.0.1:${server.port}`, path, { method, unrouted: true });

  it.each([
    ["GET", `${LIST}/`, LIST],
    ["GET", `${INSTALLATION}/clients/?limit=1`, `${INSTALLATION}/clients`],
    ["POST", "/v1/webhooks/recoveries/", "/v1/webhooks/recoveries"],
    ["QUERY", "/v1/webhooks/event-types/", "/v1/webhooks/event-types"],
  ])("%s %s is 404, and the problem names the address without it", async (method, path, address) => {
    const answer = await at(path, method);
    const detail = `Leave out the slash at the end: ${address} is the address.`;
    expect([answer.status, answer.json()]).toEqual([
      404,
      expect.objectContaining({ code: "not_found", detail, message: detail }),
    ]);
  });

  it.each(["/v1/", "/v1/nothing/", `${LIST}//`, `${LIST}//clients/`, "/v1/nothing"])(
    "%s has nothing without it",
    async (path) => {
      const answer = await at(path);
      expect([answer.status, answer.json()]).toEqual([
        404,
        expect.objectContaining({ detail: "Nothing is offered at this address." }),
      ]);
    },
  );

  it("another refusal of such a path has its own sentence", async () => {
    expect((await at("/v1/%zz/")).json()).toMatchObject({
      code: "invalid_request",
      detail: "The request has malformed percent-encoding in its path.",
    });
  });
});
