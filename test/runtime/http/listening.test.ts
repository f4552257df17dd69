import { connect } from "node:net";
import { type EdgeServer, startEdgeServer } from "../../../src/runtime/http/edge-server.ts";
import { area } from "../../../src/runtime/http/operation.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { freePort } from "../../support/free-port.ts";
import { seededRandom } from "../../support/random.ts";
import { silentLog } from "../../support/silent-log.ts";

const contract = {
  openapi: "3.1.0",
  info: { title: "One address", version: "1" },
  paths: { "/here": { get: { operationId: "here", responses: { "200": { description: "It is here." } } } } },
};

const here = area<never>({
  name: "here",
  contract,
  operations: {
    here: {
      handle: async () => ({ status: 200, body: "here" }),
      invalid: async () => ({ status: 400, body: "" }),
    },
  } as never,
  owns: () => true,
  unrouted: (status, code) => ({ status, body: { code } }),
});

/** A server at `localhost`, where that has these addresses. */
const startAt = (port: number, ...addresses: readonly string[]): Promise<EdgeServer> =>
  startEdgeServer({
    host: "localhost",
    port,
    addressesOf: async () => addresses,
    areas: [here],
    log: silentLog,
    metrics: createMetrics(),
    random: seededRandom(),
  });

/** Everything that is answered to these bytes until the connection ends; the error's code where it fails. */
const answerTo = (host: string, port: number, request: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = "";
    const socket = connect({ host, port });
    socket.on("data", (bytes) => (answer += bytes.toString("latin1")));
    socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? ""));
    socket.on("close", () => resolve(answer));
    socket.write(request);
  });

const LAST = "Host: localhost\r\nConnection: close\r\n\r\n";

describe("a public listener at localhost, which has two addresses", () => {
  it.each([
    ["127.0.0.1", `GET /here HTTP/1.1\r\n${LAST}`, /^HTTP\/1\.1 200 OK\r\nx-request-id: /],
    ["127.0.0.2", `GET /here HTTP/1.1\r\n${LAST}`, /^HTTP\/1\.1 200 OK\r\nx-request-id: /],
    ["127.0.0.2", `GET /here HTTP/1.1\r\nExpect: much\r\n${LAST}`, /^HTTP\/1\.1 200 OK\r\nx-request-id: /],
    ["127.0.0.2", "no request\r\n\r\n", /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"invalid_request"/],
    ["127.0.0.2", `CONNECT /here HTTP/1.1\r\n${LAST}`, /^HTTP\/1\.1 405 [\s\S]*"method_not_allowed"/],
  ])("answers at %s as it does everywhere: %j", async (host, request, expected) => {
    const server = await startAt(0, "127.0.0.1", "127.0.0.2");
    try {
      expect(await answerTo(host, server.port, request)).toMatch(expected);
    } finally {
      await server.stop(0);
    }
  });

  it("stops at both, and ends connections that asked nothing yet", async () => {
    const server = await startAt(0, "127.0.0.1", "127.0.0.2");
    const silent = answerTo("127.0.0.2", server.port, "");
    await answerTo("127.0.0.2", server.port, `GET /here HTTP/1.1\r\n${LAST}`);
    await server.stop(1_000);
    expect(await silent).toBe("");
    expect(await answerTo("127.0.0.2", server.port, "")).toBe("ECONNREFUSED");
  });

  it.each([
    ["this machine has one of them only", ["127.0.0.1", "203.0.113.7"]],
    ["one of them is named twice", ["127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.2"]],
  ])("starts where %s", async (_, addresses) => {
    const server = await startAt(0, ...addresses);
    expect(await answerTo("127.0.0.1", server.port, `GET /here HTTP/1.1\r\n${LAST}`)).toMatch(/^HTTP\/1\.1 200 /);
    await server.stop(0);
  });

  it("does not start where another program has the port of one of them", async () => {
    const port = await freePort();
    const other = await startAt(port, "127.0.0.2");
    await expect(startAt(port, "127.0.0.1", "127.0.0.2")).rejects.toMatchObject({
      name: "CannotStart",
      message: `Port ${port} on 127.0.0.2 is taken by another program. Set public-port to another.`,
    });
    expect(await answerTo("127.0.0.1", port, "")).toBe("ECONNREFUSED");
    await other.stop(0);
  });
});
