import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { TIMEOUTS } from "../../../src/runtime/http/edge-timeouts.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { type StubEdge, startStubEdge } from "../../support/stub-edge.ts";

const LIST = "/v1/instance-integrations";
/** More than the system takes of one connection. */
const BYTES = 48 * 1024 * 1024;
const HEADERS = { "cache-control": "private, no-cache", etag: '"1-x"', vary: "x-api-key, Accept-Encoding" };

describe("a client that reads its answer slowly", () => {
  let edge: StubEdge;
  let client: Socket;
  let isAsked: boolean;

  afterEach(async () => {
    client.destroy();
    await edge.stop(0);
  });

  const start = async ({ metrics = createMetrics(), timeouts = TIMEOUTS } = {}) => {
    const text = JSON.stringify("x".repeat(BYTES));
    isAsked = false;
    const answer = async () => {
      isAsked = true;
      return { status: 200, headers: HEADERS, body: text };
    };
    edge = await startStubEdge({ handlers: { listInstanceIntegrations: answer }, metrics, timeouts });
    return { length: text.length };
  };

  /** Asks for a long answer on a connection of its own, and reads nothing. */
  const send = () => {
    client = connect(edge.port, "127.0.0.1");
    client.on("error", () => undefined).pause();
    client.write(`GET ${LIST} HTTP/1.1\r\nHost: 127.0.0.1:${edge.port}\r\nx-api-key: x\r\n\r\n`);
  };

  /** And waits until its beginning is there: the answer is made, and most of it is not sent. */
  const ask = async () => {
    const started = await start();
    send();
    await once(client, "readable");
    return started;
  };

  /** Reads to the end of the connection; how many bytes came behind the headers. */
  const rest = async (): Promise<number> => {
    const pieces: Buffer[] = [];
    client.on("data", (piece: Buffer) => void pieces.push(piece)).resume();
    await once(client, "close");
    const received = Buffer.concat(pieces);
    return received.length - received.indexOf("\r\n\r\n") - 4;
  };

  it("gets all of it though the listener stops meanwhile, and its connection is closed behind it (F45)", async () => {
    const { length } = await ask();
    const stopping = edge.stop(60_000);
    await eventually(
      () => call(edge.url, LIST, { headers: { "x-api-key": "x" } }).catch(({ code }: NodeJS.ErrnoException) => code),
      (end) => end === "ECONNREFUSED",
    );
    expect(await rest()).toBe(length);
    await stopping;
  });

  it("is cut off when the grace time is over", async () => {
    const { length } = await ask();
    await edge.stop(50);
    expect(await rest()).toBeLessThan(length);
  });

  it("is left when it takes nothing for as long as it has for a part, and is counted (R-X61)", async () => {
    const metrics = createMetrics();
    await start({ metrics, timeouts: { ...TIMEOUTS, takeMs: 500 } });
    send();
    // Where this process has no turn for so long, a connection is left before its request is read: it is sent again.
    while (!(await eventually(async () => isAsked, Boolean, 2_000))) {
      client.destroy();
      send();
    }
    const counted = await eventually(
      () => metrics.getSingleMetricAsString("gatehouse_http_broken_answers_total"),
      (text) => text.includes(`reason="stalled"`),
    );
    expect(counted).toContain(
      'gatehouse_http_broken_answers_total{operation="listInstanceIntegrations",reason="stalled"} 1',
    );
  });
});

describe("a connection that is idle", () =>
  withScope((closeLater) => {
    const HASTY = { ...TIMEOUTS, keepAliveMs: 300 };
    const PASSED_ON = `GET /nowhere HTTP/1.1\r\nHost: a\r\nx-forwarded-for: 203.0.113.7\r\n\r\n`;

    /** A connection to a listener of its own, with the status of its first answer. */
    const open = async (timeouts: typeof TIMEOUTS, trustedProxies: readonly string[]) => {
      const edge = await startStubEdge({ timeouts, trustedProxies });
      closeLater(() => edge.stop(0));
      const socket = connect(edge.port, "127.0.0.1");
      closeLater(async () => void socket.destroy());
      const ask = async (): Promise<string> => {
        socket.write(PASSED_ON);
        const [piece] = (await once(socket, "data")) as [Buffer];
        return piece.toString("latin1").slice(9, 12);
      };
      expect(await ask()).toBe("404");
      return { socket, ask };
    };

    it("of a trusted proxy is the proxy's to close: no request meets a listener that closes it (R-X431)", async () => {
      const ofProxy = await open(HASTY, ["127.0.0.1"]);
      const ofAnyone = await open(HASTY, []);
      await once(ofAnyone.socket, "close");
      expect(await ofProxy.ask()).toBe("404");
    });

    it("of a trusted proxy that has gone is closed all the same (R-X431)", async () => {
      const { socket } = await open({ ...HASTY, proxyKeepAliveMs: 300 }, ["127.0.0.1"]);
      await once(socket, "close");
      expect(socket.destroyed).toBe(true);
    });
  }));
