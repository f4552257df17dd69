import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, Connection } from "@temporalio/client";
import { cpuMicroseconds, residentMib } from "../harness/process-cost.ts";
import { emitTenant, subscribeToTenants } from "./support/events.ts";
import { percentile } from "./support/load.ts";
import { type Product, startProduct } from "./support/product.ts";
import { machine } from "./support/table.ts";
import { startTemporal } from "./support/temporal.ts";
import { benchWorld, type World } from "./support/world.ts";

/**
 * Cost of retries by Temporal compared with the embedded engine, and the cost that a configured Temporal adds to
 * deliveries without retries. Product and server are separate processes. Usage: node bench/temporal.ts [retries per
 * series] [deliveries that wait]
 */
const retries = Number(process.argv[2] ?? 300);
const waiting = Number(process.argv[3] ?? 10_000);
if (process.platform !== "linux") throw new Error("The benchmarks read CPU times from /proc and run on Linux only.");

interface Measured extends Product {
  readonly world: World;
}

async function startMeasured(settings: Readonly<Record<string, string>>): Promise<Measured> {
  const product = await startProduct(settings);
  return { ...product, world: await benchWorld(product.peers) };
}

/** An endpoint that counts POSTs and can be set to refuse the first POST of each event. */
async function startEndpoint() {
  const seen = new Map<string, number>();
  let refusals = 0;
  let acknowledged = 0;
  const server = createServer((request, response) => {
    const id = String(request.headers["webhook-id"]);
    request.resume().on("end", () => {
      const nth = (seen.get(id) ?? 0) + 1;
      seen.set(id, nth);
      const isRefused = nth <= refusals;
      if (!isRefused) acknowledged++;
      response.writeHead(isRefused ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    refuse(times: number) {
      refusals = times;
      acknowledged = 0;
      seen.clear();
    },
    async acknowledged(total: number) {
      while (acknowledged < total) await sleep(5);
    },
    async arrived(total: number) {
      while (seen.size < total) await sleep(5);
    },
    stop: () => server.close().closeAllConnections(),
  };
}

const subscribe = ({ peers, world }: Measured, url: string) => subscribeToTenants(peers, world, "bench", url);

async function emit({ peers, world }: Measured, count: number): Promise<void> {
  let next = 0;
  const write = async () => {
    while (next < count) await emitTenant(peers, world, `Tenant ${next++}`);
  };
  await Promise.all(Array.from({ length: 8 }, write));
}

interface Cost {
  readonly productMs: number;
  readonly serverMs: number;
  readonly perSecond: number;
}

/** CPU of product and server per delivery, the change included. */
async function measure(
  { pid }: Product,
  serverPid: number | undefined,
  count: number,
  run: () => Promise<void>,
): Promise<Cost> {
  const serverCpu = () => (serverPid === undefined ? 0 : cpuMicroseconds(serverPid));
  const before = { product: cpuMicroseconds(pid), server: serverCpu(), at: performance.now() };
  await run();
  const seconds = (performance.now() - before.at) / 1000;
  // Outcomes are recorded, and workflows closed, shortly after the last arrival.
  await sleep(1_500);
  return {
    productMs: (cpuMicroseconds(pid) - before.product) / 1000 / count,
    serverMs: (serverCpu() - before.server) / 1000 / count,
    perSecond: count / seconds,
  };
}

const server = await startTemporal();
const { address, pid: serverPid } = server;
const client = new Client({ connection: await Connection.connect({ address }) });
const rows: string[] = [];
const row = (what: string, { productMs, serverMs, perSecond }: Cost) =>
  rows.push(`| ${what} | ${productMs.toFixed(2)} | ${serverMs.toFixed(2)} | ${perSecond.toFixed(0)} |`);

try {
  for (const engine of ["embedded", "temporal"] as const) {
    const settings = engine === "temporal" ? { "temporal-address": address } : {};
    const product = await startMeasured({ ...settings, "webhook-attempt-delays": "1s,1s" });
    const endpoint = await startEndpoint();
    await subscribe(product, endpoint.url);
    endpoint.refuse(0);
    await emit(product, 500);
    await endpoint.acknowledged(500);
    endpoint.refuse(0);
    const pid = engine === "temporal" ? serverPid : undefined;
    const happy = await measure(product, pid, 3_000, async () => {
      await emit(product, 3_000);
      await endpoint.acknowledged(3_000);
    });
    row(`delivered at once, ${engine} engine`, happy);
    endpoint.refuse(1);
    await emit(product, 30);
    await endpoint.acknowledged(30);
    endpoint.refuse(1);
    const retried = await measure(product, pid, retries, async () => {
      await emit(product, retries);
      await endpoint.acknowledged(retries);
    });
    row(`one retry after 1 s, ${engine} engine`, retried);
    endpoint.stop();
    await product.stop();
  }

  // From the refusal to a workflow that the list shows, one at a time; then many that wait.
  const product = await startMeasured({ "temporal-address": address, "webhook-attempt-delays": "24h,24h" });
  const endpoint = await startEndpoint();
  endpoint.refuse(9);
  await subscribe(product, endpoint.url);
  const running = async () =>
    (await client.workflow.count("WorkflowType = 'webhookRetry' AND ExecutionStatus = 'Running'")).count;
  const latencies: number[] = [];
  for (let index = 0; index < 50; index++) {
    const before = await running();
    await emit(product, 1);
    await endpoint.arrived(index + 1);
    const refusedAt = performance.now();
    while ((await running()) <= before) await sleep(5);
    latencies.push(performance.now() - refusedAt);
  }
  const memoryBefore = { product: residentMib(product.pid), server: residentMib(serverPid) };
  const startedAt = performance.now();
  const cpuBefore = { product: cpuMicroseconds(product.pid), server: cpuMicroseconds(serverPid) };
  await emit(product, waiting);
  while ((await running()) < waiting + 50) await sleep(500);
  const seconds = (performance.now() - startedAt) / 1000;
  const costs = [
    (cpuMicroseconds(product.pid) - cpuBefore.product) / 1000 / waiting,
    (cpuMicroseconds(serverPid) - cpuBefore.server) / 1000 / waiting,
  ];

  console.log(`${machine()}; ${retries} retries a series\n`);
  console.log("| series | product, CPU ms | server, CPU ms | per second |\n|---|---:|---:|---:|");
  console.log(rows.join("\n"));
  console.log(
    `\nFailed attempt → workflow in the list: p50 ${percentile(latencies, 0.5).toFixed(0)} ms, p99 ${percentile(latencies, 0.99).toFixed(0)} ms.`,
  );
  console.log(
    `${waiting} deliveries waiting (handed over in ${seconds.toFixed(0)} s; ${costs.map((cost) => cost?.toFixed(1)).join(" + ")} ms CPU each, product + server): ` +
      `product ${memoryBefore.product.toFixed(0)} → ${residentMib(product.pid).toFixed(0)} MiB, server ${memoryBefore.server.toFixed(0)} → ${residentMib(serverPid).toFixed(0)} MiB.`,
  );
  endpoint.stop();
  await product.stop();
} finally {
  await client.connection.close();
  server.stop();
}
