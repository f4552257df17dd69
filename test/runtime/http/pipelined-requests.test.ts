import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createMetrics, type Metrics } from "../../../src/runtime/process/metrics.ts";
import { eventually } from "../../support/eventually.ts";
import { call, sendRaw } from "../../support/http.ts";
import { type StubEdge, startStubEdge } from "../../support/stub-edge.ts";

const LIST = "/v1/instance-integrations";
const REQUEST = `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx-api-key: x\r\n\r\n`;
const LAST = `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx-api-key: x\r\nConnection: close\r\n\r\n`;
const HEADERS = { "cache-control": "private, no-cache", etag: '"1-x"', vary: "x-api-key, Accept-Encoding" };
const GOOD = { status: 200, headers: HEADERS, body: [] };

describe("requests that a client sends ahead of their answers (R-X413)", () => {
  let edge: StubEdge;
  let metrics: Metrics;
  let underWay = 0;
  let most = 0;
  let handled = 0;
  let handle: () => Promise<void>;
  let client: Socket | undefined;

  beforeEach(async () => {
    metrics = createMetrics();
    underWay = most = handled = 0;
    handle = () => sleep(5);
    edge = await startStubEdge({
      metrics,
      handlers: {
        async listInstanceIntegrations() {
          handled++;
          most = Math.max(most, ++underWay);
          await handle();
          underWay--;
          return GOOD;
        },
      },
    });
  });

  afterEach(async () => {
    client?.destroy();
    await edge.stop(0);
  });

  /** Sends the bytes in one piece, and reads what comes. */
  const open = (bytes: string) => {
    const socket = connect(edge.port, "127.0.0.1");
    socket.on("error", () => undefined).resume();
    socket.write(bytes);
    client = socket;
    return socket;
  };

  it("are handled a few at once, and answered in their order", async () => {
    const { answers } = await sendRaw(
      edge.url,
      `${REQUEST.repeat(40)}GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n${LAST}`,
      { end: false },
    );
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(40).fill(200), 404, 200]);
    expect(handled).toBe(41);
    expect(most).toBeLessThanOrEqual(11);
  });

  it("leave others their turn between two of them", async () => {
    let other: Promise<number> | undefined;
    handle = async () => {
      other ??= call(edge.url, "/nowhere").then(() => handled);
    };
    await sendRaw(edge.url, REQUEST.repeat(99) + LAST, { end: false });
    // What the one client sent was there at once, whole; a connection, a request and its answer take a few turns.
    expect(await other).toBeLessThan(50);
    expect(handled).toBe(100);
  });

  it("are not begun any more once their client has left", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    handle = () => promise;
    const socket = open(REQUEST.repeat(50));
    await eventually(
      async () => handled,
      (count) => count > 0,
    );
    socket.destroy();
    await sleep(20);
    resolve();
    await call(edge.url, "/nowhere");
    await sleep(20);
    expect(handled).toBeLessThanOrEqual(11);
  });

  it("that are whole are answered before a broken one is, and those before an ambiguous one as usual", async () => {
    const broken = await sendRaw(edge.url, `${REQUEST.repeat(20)}GET / HTTP/3\r\n\r\n`, { end: false });
    expect(broken.answers.map(({ status }) => status)).toEqual([...Array<number>(20).fill(200), 400]);
    const twice = `GET ${LIST} HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n`;
    const ambiguous = await sendRaw(edge.url, `${REQUEST.repeat(20)}${twice}${REQUEST}`, { end: false });
    expect(ambiguous.answers.map(({ status }) => status)).toEqual([...Array<number>(20).fill(200), 400]);
  });

  it.each([
    ["of an operation", REQUEST],
    ["that have no operation", "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["whose target is malformed", "GET /% HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("end their connection when more than a hundred wait, and it is counted: requests %s", async (_, more) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    handle = () => promise;
    const socket = open(REQUEST.repeat(111));
    await eventually(
      async () => handled,
      (count) => count > 0,
    );
    expect(socket.closed).toBe(false);
    socket.write(more.repeat(1_000));
    expect(await eventually(async () => socket.closed, Boolean)).toBe(true);
    resolve();
    await sleep(20);
    expect(handled).toBeLessThanOrEqual(11);
    expect(await metrics.getSingleMetricAsString("gatehouse_http_refused_connections_total")).toContain(
      'gatehouse_http_refused_connections_total{reason="pipelined"} 1',
    );
  });
});
