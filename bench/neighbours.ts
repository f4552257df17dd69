import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { mostResidentMib, residentMib } from "../harness/process-cost.ts";
import { type Endpoints, startEndpoints } from "./support/endpoints.ts";
import { emitTenant, subscribeToTenants } from "./support/events.ts";
import { percentile } from "./support/load.ts";
import { type Product, startProduct } from "./support/product.ts";
import { machine } from "./support/table.ts";
import { type BenchTemporal, startTemporal } from "./support/temporal.ts";
import { benchWorld, type World } from "./support/world.ts";

/**
 * What the trouble of others costs a subscription that answers: the time from a change to the arrival of its event, with
 * the neighbours and, in the same run of the program, without them. Usage: node bench/neighbours.ts [events that wait for a
 * neighbour] [silent endpoints] [who retries: embedded, temporal, or temporal-equal, a server with the product's own priority]
 * [scenes: all, or names of them with commas between] [directory of another checkout]
 */
const waiting = Number(process.argv[2] ?? 5_000);
const silentEndpoints = Number(process.argv[3] ?? 1_000);
const engine = process.argv[4] ?? "embedded";
if (!["embedded", "temporal", "temporal-equal"].includes(engine))
  throw new Error(`Name who retries: embedded, temporal or temporal-equal, not ${engine}.`);
const named = process.argv[5] ?? "all";
const checkout = process.argv[6];

/** The path of the endpoint whose events are measured. */
const QUICK = "/quick";
const BURST = 191;
const SLOW_EVENTS = 600;
const SAMPLES = 100;
/** Beside a long queue, and as many without it. */
const SAMPLES_LONG = 600;
const SAMPLES_PER_SECOND = 20;
const PATIENCE_MS = 100_000;
const STOPPED_ENDPOINTS = 100;
const STOPPED_EVENTS = 20;
/** Until attempts that get no answer have ended. */
const TIMEOUT_MS = 15_000;
/** Until each refused event is due again: time to make it, to send it once and, with Temporal, to start its workflow. */
const DUE_MS_PER_EVENT = engine === "embedded" ? 4 : 15;

interface Scene {
  readonly product: Product;
  readonly endpoints: Endpoints;
  /** Whose events are measured. */
  readonly own: World;
  /** Another integration at another instance. */
  readonly other: World;
}

let labels = 0;
const subscribe = ({ product }: Scene, world: World, endpointUrl: string) =>
  subscribeToTenants(product.peers, world, `neighbours-${labels++}`, endpointUrl);

const emit = ({ product }: Scene, world: World): Promise<string> => emitTenant(product.peers, world);

async function emitMany(scene: Scene, world: World, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let next = 0;
  const write = async () => {
    while (next++ < count) ids.push(await emit(scene, world));
  };
  await Promise.all(Array.from({ length: 8 }, write));
  return ids;
}

/** How long a burst takes from the first change to the last arrival, and how much of it arrives at all in time. */
async function burst(scene: Scene): Promise<string> {
  const startedAt = performance.now();
  const ids = await emitMany(scene, scene.own, BURST);
  const arrived = () => ids.filter((id) => scene.endpoints.firstAt(QUICK, id) !== undefined).length;
  while (arrived() < BURST && performance.now() - startedAt < PATIENCE_MS) await sleep(2);
  const last = Math.max(...ids.map((id) => scene.endpoints.firstAt(QUICK, id) ?? performance.now()));
  return `${arrived()} of ${BURST} in ${Math.round(last - startedAt)} ms`;
}

interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly samples: number;
}

/** From change to arrival in milliseconds, one event after the other at a steady rate, for as long as `lasts` says. */
async function arrivalTimes(
  scene: Scene,
  { most = SAMPLES, lasts = () => true }: { readonly most?: number; readonly lasts?: () => boolean } = {},
): Promise<readonly number[]> {
  const arrivedAt = (id: string) => scene.endpoints.firstAt(QUICK, id);
  const sent = new Map<string, number>();
  for (let index = 0; index < most && (lasts() || index < 5); index++) {
    const sentAt = performance.now();
    sent.set(await emit(scene, scene.own), sentAt);
    await sleep(Math.max(0, 1000 / SAMPLES_PER_SECOND - (performance.now() - sentAt)));
  }
  const until = performance.now() + PATIENCE_MS;
  const missing = () => [...sent.keys()].some((id) => arrivedAt(id) === undefined);
  while (missing() && performance.now() < until) await sleep(5);
  return [...sent].map(([id, sentAt]) => (arrivedAt(id) ?? performance.now()) - sentAt);
}

const latencyOf = (times: readonly number[]): Latency => ({
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  samples: times.length,
});

const latency = async (scene: Scene): Promise<Latency> => latencyOf(await arrivalTimes(scene));

const latencyText = ({ p50, p99, samples }: Latency): string =>
  `p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)} ms (${samples})`;

const row = (what: string, alone: string, beside: string, ratio = "") =>
  console.log(`| ${what} | ${alone} | ${beside} | ${ratio} |`);
const latencyRow = (what: string, alone: Latency, beside: Latency) =>
  row(what, latencyText(alone), latencyText(beside), `${(beside.p50 / alone.p50).toFixed(1)} ×`);

/** A scene in which the own subscription has answered already. */
async function withScene(retryAfter: string, play: (scene: Scene) => Promise<void>): Promise<void> {
  const temporal: BenchTemporal | undefined =
    engine === "embedded" ? undefined : await startTemporal({ behind: engine !== "temporal-equal" });
  const settings = temporal === undefined ? {} : { "temporal-address": temporal.address };
  const product = await startProduct({ ...settings, "webhook-attempt-delays": retryAfter }, checkout);
  const endpoints = await startEndpoints();
  try {
    const own = await benchWorld(product.peers);
    const other = await benchWorld(product.peers, { email: "other@harbour.example" });
    const scene = { product, endpoints, own, other };
    await subscribe(scene, own, endpoints.url(QUICK));
    await emitMany(scene, own, 300);
    await latency(scene);
    await play(scene);
  } finally {
    endpoints.stop();
    await product.stop();
    temporal?.stop();
  }
}

/**
 * The neighbour's events wait until all are due at once: its first answers ask for that. Returns whether some still wait,
 * and a function that waits until none does, or for a hundred seconds, and says which.
 */
async function busyNeighbour(scene: Scene, host: string) {
  const { endpoints, other } = scene;
  const dueAt = new Date(Date.now() + 10_000 + waiting * DUE_MS_PER_EVENT);
  endpoints.answers.set("/busy", (response) => response.writeHead(503, { "retry-after": dueAt.toUTCString() }).end());
  await subscribe(scene, other, endpoints.url("/busy", host));
  await emitMany(scene, other, waiting);
  while (endpoints.count("/busy") < waiting) await sleep(20);
  if (Date.now() > dueAt.getTime())
    throw new Error("Retries came before all events were sent once: name fewer events.");
  endpoints.answers.delete("/busy");
  while (endpoints.count("/busy") < waiting + 50) await sleep(2);
  const lasts = () => endpoints.count("/busy") < 2 * waiting;
  const done = async () => {
    const until = performance.now() + PATIENCE_MS;
    while (lasts() && performance.now() < until) await sleep(50);
    await sleep(2_000);
    return !lasts();
  };
  return { lasts, done };
}

/** A path of the same host falls silent. */
async function slow(scene: Scene): Promise<void> {
  const { endpoints, other } = scene;
  const alone = await burst(scene);
  const before = await latency(scene);
  endpoints.answers.set("/slow", () => undefined);
  await subscribe(scene, other, endpoints.url("/slow"));
  await emitMany(scene, other, SLOW_EVENTS);
  while (endpoints.count("/slow") < 20) await sleep(5);
  row(`a path of the same host falls silent with ${SLOW_EVENTS} events: a burst`, alone, await burst(scene));
  await sleep(TIMEOUT_MS + 2_000);
  row("… later, when its attempts have timed out: a burst", alone, await burst(scene));
  latencyRow("… one event at a time", before, await latency(scene));
}

/** Many events of one subscription wait for their retry. */
async function waitingForRetry(scene: Scene): Promise<void> {
  const { endpoints, other, product } = scene;
  const alone = await latency(scene);
  const memory = residentMib(product.pid);
  endpoints.answers.set("/refusing", (response) => response.writeHead(503).end());
  await subscribe(scene, other, endpoints.url("/refusing"));
  await emitMany(scene, other, waiting);
  while (endpoints.count("/refusing") < waiting) await sleep(20);
  latencyRow(`a subscription of which ${waiting} events wait for their retry`, alone, await latency(scene));
  const after = `${residentMib(product.pid).toFixed(0)}, at most ${mostResidentMib(product.pid).toFixed(0)} MiB`;
  row("… resident memory of the product", `${memory.toFixed(0)} MiB`, after);
}

/** Many events are due at a path that is silent. */
async function silent(scene: Scene): Promise<void> {
  const { endpoints, other } = scene;
  const alone = await latency(scene);
  endpoints.answers.set("/silent", () => undefined);
  await subscribe(scene, other, endpoints.url("/silent"));
  await emitMany(scene, other, waiting);
  latencyRow(`a silent path of the same host for which ${waiting} events are due`, alone, await latency(scene));
}

/** Many endpoints are silent. */
async function manySilent(scene: Scene): Promise<void> {
  const { endpoints, other } = scene;
  const alone = await latency(scene);
  endpoints.answers.set("/silent", () => undefined);
  for (let index = 0; index < silentEndpoints; index++) {
    await subscribe(scene, other, endpoints.url("/silent", `127.1.${index >> 8}.${index & 255 || 1}`));
  }
  await emitMany(scene, other, 2);
  while (endpoints.count("/silent") < Math.min(silentEndpoints, 200)) await sleep(5);
  latencyRow(`${silentEndpoints} silent endpoints with two events each, at first`, alone, await latency(scene));
  await sleep(TIMEOUT_MS + 2_000);
  latencyRow("… later, when attempts have timed out", alone, await latency(scene));
}

/** All endpoints of an integration answer at once, and then none of them. */
async function stopped(scene: Scene): Promise<void> {
  const { endpoints, other } = scene;
  for (let index = 1; index <= STOPPED_ENDPOINTS; index++)
    await subscribe(scene, other, endpoints.url("/stopped", `127.2.0.${index}`));
  await emitMany(scene, other, 5);
  while (endpoints.count("/stopped") < 5 * STOPPED_ENDPOINTS) await sleep(5);
  const alone = await latency(scene);
  endpoints.answers.set("/stopped", () => undefined);
  const before = endpoints.count("/stopped");
  await emitMany(scene, other, STOPPED_EVENTS);
  while (endpoints.count("/stopped") < before + 300) await sleep(5);
  const what = `${STOPPED_ENDPOINTS} endpoints of one integration stop answering with ${STOPPED_EVENTS} events each`;
  latencyRow(what, alone, await latency(scene));
  await sleep(TIMEOUT_MS + 2_000);
  latencyRow("… later, when attempts have timed out", alone, await latency(scene));
}

/** Many events of one subscription are retried now. */
const busyAt = (what: string, host: string) => async (scene: Scene) => {
  const before = await arrivalTimes(scene, { most: SAMPLES_LONG / 2 });
  const { lasts, done } = await busyNeighbour(scene, host);
  const beside = await arrivalTimes(scene, { most: SAMPLES_LONG, lasts });
  // Before and, if that comes soon, after: a machine that others share is not the same for a minute.
  const after = (await done()) ? await arrivalTimes(scene, { most: SAMPLES_LONG / 2 }) : [];
  latencyRow(
    `a busy subscription with ${waiting} events at ${what}`,
    latencyOf([...before, ...after]),
    latencyOf(beside),
  );
};

/** By name: after what time an attempt is retried, and what happens. */
const SCENES: Readonly<Record<string, readonly [retryAfter: string, play: (scene: Scene) => Promise<void>]>> = {
  slow: ["24h", slow],
  waiting: ["24h", waitingForRetry],
  silent: ["24h", silent],
  busy: ["1s", busyAt("the same host", "127.0.0.1")],
  "busy-elsewhere": ["1s", busyAt("another host", "127.0.0.2")],
  "many-silent": ["24h", manySilent],
  stopped: ["24h", stopped],
};

const chosen = (named === "all" ? Object.keys(SCENES) : named.split(",")).map((name) => {
  const scene = SCENES[name];
  if (scene === undefined) throw new Error(`Name scenes of ${Object.keys(SCENES).join(", ")}, not ${name}.`);
  return scene;
});
console.log(`${machine()}; change → arrival; retries: ${engine}\n`);
console.log("| neighbours | without | with | p50, ratio |\n| --- | ---: | ---: | ---: |");
for (const [retryAfter, play] of chosen) await withScene(retryAfter, play);
