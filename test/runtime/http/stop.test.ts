import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http.ts";
import { type StubEdge, type StubEdgeOptions, startStubEdge } from "../../support/stub-edge.ts";

const LIST = "/v1/instance-integrations";
const GOOD_HEADERS = { "cache-control": "private, no-cache", etag: '"1-x"', vary: "x-api-key, Accept-Encoding" };
const GOOD = { status: 200, headers: GOOD_HEADERS, body: [] };

/** The code of the error that ended a request, or its status. */
const outcome = (answering: Promise<{ status: number }>) =>
  answering.then(
    ({ status }) => status,
    (error: NodeJS.ErrnoException) => error.code,
  );

describe("the public listener while it stops (F45)", () => {
  let edge: StubEdge;
  const agents: Agent[] = [];

  const start = async (handler: NonNullable<StubEdgeOptions["handlers"]>[string] = async () => GOOD) => {
    edge = await startStubEdge({ handlers: { listInstanceIntegrations: handler } });
    return edge;
  };

  const keepAlive = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    return agent;
  };

  afterEach(async () => {
    for (const agent of agents.splice(0)) agent.destroy();
    await edge.stop(0);
  });

  const get = (agent?: Agent) => call(edge.url, LIST, { headers: { "x-api-key": "x" }, ...(agent && { agent }) });

  it("asks every connection to close once it is draining, and still answers", async () => {
    const { draining } = await start();
    const agent = keepAlive();
    const before = await get(agent);
    draining();
    const after = await get(agent);
    const unrouted = await call(edge.url, "/nowhere", { agent });
    expect([before, after, unrouted].map(({ status, headers }) => [status, headers.get("connection")])).toEqual([
      [200, "keep-alive"],
      [200, "close"],
      [404, "close"],
    ]);
  });

  it("lets a running request finish, and accepts no new connection", async () => {
    const entered = Promise.withResolvers<void>();
    const leaving = Promise.withResolvers<void>();
    const { stop } = await start(async () => {
      entered.resolve();
      await leaving.promise;
      return GOOD;
    });
    const underWay = get();
    await entered.promise;
    const stopping = stop(10_000);
    const late = await eventually(
      () => outcome(get()),
      (end) => end === "ECONNREFUSED",
    );
    leaving.resolve();
    await stopping;
    expect([late, (await underWay).status, (await underWay).headers.get("connection")]).toEqual([
      "ECONNREFUSED",
      200,
      "close",
    ]);
  });

  it("asks a connection to close whose request began before, and does not wait for the next one on it", async () => {
    const entered = Promise.withResolvers<void>();
    const leaving = Promise.withResolvers<void>();
    const { draining, stop } = await start(async () => {
      entered.resolve();
      await leaving.promise;
      return GOOD;
    });
    const underWay = get(keepAlive());
    await entered.promise;
    draining();
    const stopping = stop(60_000);
    await eventually(
      () => outcome(get()),
      (end) => end === "ECONNREFUSED",
    );
    leaving.resolve();
    const { status, headers } = await underWay;
    await stopping;
    expect([status, headers.get("connection")]).toEqual([200, "close"]);
  });

  it("refuses no request of clients that keep their connections: each is asked to close its own before the listener stops", async () => {
    const { draining, stop } = await start(async () => {
      await sleep(3);
      return GOOD;
    });
    // A client, or the proxy in front of it: one request after the other on one connection, until it is asked to close it.
    const statuses: unknown[] = [];
    const client = async () => {
      const agent = keepAlive();
      for (let asked = false; !asked; ) {
        const answer = await get(agent);
        statuses.push(answer.status);
        asked = answer.headers.get("connection") === "close";
      }
    };
    const clients = Array.from({ length: 20 }, client);
    await eventually(
      async () => statuses.length,
      (count) => count >= 100,
    );
    draining();
    // A balancer gives them this time: each sends one more request and learns from its answer that it must come elsewhere.
    await Promise.all(clients);
    await stop(10_000);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(statuses.length).toBeGreaterThan(100);
  });

  it("closes idle connections", async () => {
    const { stop } = await start();
    await get(keepAlive());
    await stop(60_000);
    await expect(outcome(get())).resolves.toBe("ECONNREFUSED");
  });

  it("ends hanging requests when the grace time is over", async () => {
    const entered = Promise.withResolvers<void>();
    const { stop } = await start(() => {
      entered.resolve();
      return new Promise(() => undefined);
    });
    const hanging = outcome(get());
    await entered.promise;
    await stop(50);
    await expect(hanging).resolves.toBe("ECONNRESET");
  });

  it("refuses a port that is taken, in one line that names the setting", async () => {
    const { port } = await start();
    const { startEdgeServer } = await import("../../../src/runtime/http/edge-server.ts");
    const { silentLog } = await import("../../support/silent-log.ts");
    const { createMetrics } = await import("../../../src/runtime/process/metrics.ts");
    const { seededRandom } = await import("../../support/random.ts");
    const second = startEdgeServer({
      host: "127.0.0.1",
      port,
      areas: [],
      log: silentLog,
      metrics: createMetrics(),
      random: seededRandom(),
    });
    await expect(second).rejects.toMatchObject({
      name: "CannotStart",
      message: `Port ${port} on 127.0.0.1 is taken by another program. Set public-port to another.`,
    });
  });
});
