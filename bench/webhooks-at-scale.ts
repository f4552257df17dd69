import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuMicroseconds, mostResidentMib, residentMib } from "../harness/process-cost.ts";
import { type Endpoints, startEndpoints } from "./support/endpoints.ts";
import { emitTenant, subscribeToTenants } from "./support/events.ts";
import { percentile } from "./support/load.ts";
import { postLoop } from "./support/post-loop.ts";
import { type Product, startProduct } from "./support/product.ts";
import { machine } from "./support/table.ts";
import { benchWorld, type World } from "./support/world.ts";

/**
 * Webhooks in large numbers: one event to many subscriptions, many events that wait for one subscription, and one
 * endpoint among many that never answers. Usage: node bench/webhooks-at-scale.ts [subscriptions] [events that wait]
 * [endpoints beside the dead one]
 */
const subscriptions = Number(process.argv[2] ?? 10_000);
const waiting = Number(process.argv[3] ?? 100_000);
const neighbours = Number(process.argv[4] ?? 999);

const CALLERS = 16;
const EVENTS_TO_ALL = 10;
/** Subscriptions that share a host, as many an integrator's do. */
const PER_HOST = 100;
/** For one write and its first attempt, until those that wait are due together. */
const WRITE_MS = 2.5;

interface Scene {
  readonly product: Product;
  readonly endpoint: Endpoints;
  readonly world: World;
}

async function withScene(play: (scene: Scene) => Promise<void>): Promise<void> {
  const product = await startProduct({ "webhook-attempt-delays": "1s,1s" });
  const endpoint = await startEndpoints();
  try {
    await play({ product, endpoint, world: await benchWorld(product.peers) });
  } finally {
    endpoint.stop();
    await product.stop();
  }
}

/** Calls it for each number below `total`, so many at a time. */
async function each(total: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < total) await work(next++);
    }),
  );
}

const subscribe = ({ product, world }: Scene, label: string, endpointUrl: string) =>
  subscribeToTenants(product.peers, world, label, endpointUrl);

const emit = ({ product, world }: Scene) => emitTenant(product.peers, world);

async function deliveries(what: string, scene: Scene, total: number, begin: () => Promise<unknown>): Promise<void> {
  const { product, endpoint } = scene;
  endpoint.reset();
  const memory = residentMib(product.pid);
  const cpu = cpuMicroseconds(product.pid);
  const startedAt = performance.now();
  await begin();
  await endpoint.received(total);
  const seconds = (performance.now() - startedAt) / 1_000;
  await sleep(500);
  const used = (cpuMicroseconds(product.pid) - cpu) / total;
  const times = endpoint.arrivals.map(({ at }) => at - startedAt);
  const tenth = (part: number) =>
    total /
    10 /
    (((times[Math.floor((total * part) / 10) - 1] ?? 0) - (times[Math.floor((total * (part - 1)) / 10)] ?? 0)) / 1_000);
  const floor = await postLoop(endpoint.origin, 5_000);
  const cells = [
    what,
    seconds.toFixed(1),
    `${Math.round(tenth(1))} / ${Math.round(tenth(10))}`,
    `${Math.round(used)}`,
    `${Math.round(floor)}`,
    `${(used / floor).toFixed(1)} ×`,
    `${Math.round(memory)} → ${Math.round(mostResidentMib(product.pid))}`,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

console.log(`${machine()}\n`);
console.log(
  "| deliveries | seconds | a second, first tenth / last | CPU µs each | floor: sign and POST | ratio | MiB, before → most |",
);
console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");

await withScene(async (scene) => {
  const { endpoint } = scene;
  const host = (index: number) =>
    `127.2.${Math.floor(index / PER_HOST / 250)}.${1 + (Math.floor(index / PER_HOST) % 250)}`;
  await each(subscriptions, (index) => subscribe(scene, `many-${index}`, endpoint.url(`/${index}`, host(index))));
  await deliveries(`1 event to ${subscriptions} subscriptions`, scene, subscriptions, () => emit(scene));
  await deliveries("… the next event", scene, subscriptions, () => emit(scene));
});

await withScene(async (scene) => {
  const { endpoint } = scene;
  // A date in HTTP has whole seconds.
  const dueAt = 1_000 * Math.ceil((Date.now() + 10_000 + waiting * WRITE_MS) / 1_000);
  const retryAfter = new Date(dueAt).toUTCString();
  endpoint.answers.set("/one", (response) => response.writeHead(503, { "retry-after": retryAfter }).end());
  await subscribe(scene, "one", endpoint.url("/one"));
  await each(waiting, () => emit(scene));
  await endpoint.received(waiting);
  if (Date.now() > dueAt) throw new Error("Some were due before all were written: this machine needs a longer wait.");
  endpoint.answers.clear();
  await sleep(dueAt - Date.now() - 100);
  await deliveries(`${waiting} events that waited for 1 subscription`, scene, waiting, async () => undefined);
});

await withScene(async (scene) => {
  const { endpoint } = scene;
  const host = (index: number) => `127.3.${Math.floor(index / 250)}.${1 + (index % 250)}`;
  await each(neighbours, (index) => subscribe(scene, `near-${index}`, endpoint.url(`/${index}`, host(index))));
  const toAll = async (silent: number) => {
    const times: number[] = [];
    for (let event = 0; event < EVENTS_TO_ALL; event++) {
      endpoint.reset();
      const startedAt = performance.now();
      await emit(scene);
      const answering = () => endpoint.arrivals.filter(({ path }) => path !== "/dead");
      while (answering().length < neighbours) await sleep(5);
      times.push(...answering().map(({ at }) => at - startedAt));
    }
    return `p50 ${percentile(times, 0.5).toFixed(0)}, p99 ${percentile(times, 0.99).toFixed(0)} ms, ${silent} dead`;
  };
  await toAll(0);
  const alone = await toAll(0);
  endpoint.answers.set("/dead", () => undefined);
  await subscribe(scene, "dead", endpoint.url("/dead", "127.3.250.1"));
  console.log(`\n1 event to each of ${neighbours} endpoints, change → arrival: ${alone}; ${await toAll(1)}`);
});
