import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { PlatformService } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { Installation } from "../harness/installation.ts";
import { cpuMicroseconds } from "../harness/process-cost.ts";
import { socketCarrier } from "../src/runtime/rpc/socket-client.ts";
import { type Endpoints, startEndpoints } from "./support/endpoints.ts";
import { emitTenant, subscribeToTenants } from "./support/events.ts";
import { percentile, runAll, WARM_UP } from "./support/load.ts";
import { countPages } from "./support/pages.ts";
import { postLoop } from "./support/post-loop.ts";
import { startBenchProgram } from "./support/program.ts";
import type { Row } from "./support/table.ts";
import { type Peers, present, type World } from "./support/world.ts";

const SUBSCRIPTIONS = 10;
const EVENTS_PER_SECOND = 20;
const LATENCY_EVENTS = 200;

/** Emit → receive: latency at 20 events a second to one subscription, then the rate of a burst to ten. */
export async function benchWebhooks(
  installation: Installation & { readonly directory: string },
  peers: Peers,
  world: World,
  operations: number,
): Promise<readonly Row[]> {
  const endpoint = await startEndpoints();
  const subscribe = (index: number) =>
    subscribeToTenants(peers, world, `bench-${index}`, `${endpoint.origin}/${index}`);
  const emit = (index: number) => emitTenant(peers, world, `Tenant ${index}`);

  await subscribe(0);
  await runAll(WARM_UP, 16, 0, emit);
  await endpoint.received(WARM_UP);
  const latency = await latencyAt20(endpoint, emit);
  const alone = await untilSettled(installation, endpoint, emit, { events: Math.ceil(operations / 10), callers: 1 });
  const settled = await untilSettled(installation, endpoint, emit, { events: operations, callers: 16 });
  const byHand = await eventFloor(endpoint, operations, 1);
  const together = {
    ...settled,
    floor: { what: "gRPC, two shared commits, sign and POST by hand", cpuMicroseconds: byHand.cpuMicroseconds },
  };

  for (let index = 1; index < SUBSCRIPTIONS; index++) await subscribe(index);
  endpoint.reset();
  await runAll(WARM_UP / SUBSCRIPTIONS, 16, 0, emit);
  await endpoint.received(WARM_UP);
  endpoint.reset();
  const events = Math.ceil(operations / SUBSCRIPTIONS);
  const flushesBefore = await installation.flushes();
  const cpuBefore = installation.cpu();
  const startedAt = performance.now();
  await runAll(events, 16, 0, emit);
  await endpoint.received(events * SUBSCRIPTIONS);
  const seconds = (performance.now() - startedAt) / 1000;
  // Outcomes are recorded in batches shortly after the last arrival; the deliveries include that cost.
  await sleep(500);
  const deliveries = events * SUBSCRIPTIONS;
  const burst = { cpuMicroseconds: (installation.cpu() - cpuBefore) / deliveries, perSecond: deliveries / seconds };
  const flushes = ((await installation.flushes()) - flushesBefore) / deliveries;
  const floor = { what: "sign and POST", cpuMicroseconds: await postLoop(endpoint.origin, operations) };
  const burstByHand = await eventFloor(endpoint, events, SUBSCRIPTIONS);
  endpoint.stop();
  return [
    alone,
    together,
    { what: "emit → receive at 20 a second", cpuMicroseconds: Number.NaN, perSecond: EVENTS_PER_SECOND, ...latency },
    {
      what: "… the same steps by hand, its floor",
      cpuMicroseconds: Number.NaN,
      perSecond: EVENTS_PER_SECOND,
      ...byHand.latency,
    },
    {
      what: "delivery, burst to 10 subscriptions (the change included)",
      ...burst,
      flushes,
      p50Ms: Number.NaN,
      p99Ms: Number.NaN,
      floor,
    },
    {
      what: "… the same steps by hand, a delivery",
      cpuMicroseconds: burstByHand.cpuMicroseconds / SUBSCRIPTIONS,
      perSecond: Number.NaN,
      p50Ms: Number.NaN,
      p99Ms: Number.NaN,
      floor,
    },
  ];
}

/** The same steps by hand, after as many events for the compiler: some at 20 a second, and the cost of one with 16 callers. */
async function eventFloor(endpoint: Endpoints, events: number, receivers: number) {
  const program = await startBenchProgram(["bench/floors/event-floor.ts", endpoint.origin, String(receivers)]);
  const carrier = socketCarrier(program.firstLine);
  const platform = carrier.connect(PlatformService);
  const emit = async (index: number): Promise<string> => {
    const request = { requestId: "", instanceId: "instance", name: `Tenant ${index}`, address: null };
    return present((await platform.createTenant(request)).tenant).id;
  };
  const emitAll = async (count: number) => {
    endpoint.reset();
    await runAll(count, 16, 0, emit);
    await endpoint.received(count * receivers);
    await sleep(500);
  };
  await emitAll(WARM_UP / receivers);
  const latency = await latencyAt20(endpoint, emit, receivers);
  const before = cpuMicroseconds(program.pid);
  await emitAll(events);
  const cpu = (cpuMicroseconds(program.pid) - before) / events;
  await carrier.close();
  await program.stop();
  return { cpuMicroseconds: cpu, latency };
}

/** Events to one subscription, from the change to the recorded outcome. */
async function untilSettled(
  installation: Installation & { readonly directory: string },
  endpoint: Endpoints,
  emit: (index: number) => Promise<string>,
  { events, callers }: { readonly events: number; readonly callers: number },
): Promise<Row> {
  endpoint.reset();
  const flushes = await installation.flushes();
  const cpu = installation.cpu();
  const pages = countPages(installation.directory);
  const startedAt = performance.now();
  await runAll(events, callers, 0, async (index) => {
    await emit(index);
    // A caller alone waits for the arrival: nothing of two events is ever shared.
    if (callers === 1) await endpoint.received(index + 1);
  });
  await endpoint.received(events);
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(500);
  return {
    what: `event → settled delivery, ${callers === 1 ? "one caller" : `${callers} callers`} (the change included)`,
    cpuMicroseconds: (installation.cpu() - cpu) / events,
    perSecond: events / seconds,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
    flushes: ((await installation.flushes()) - flushes) / events,
    pages: pages.stop() / events,
  };
}

/** From sending the change to the arrival of its event at the first receiver. */
async function latencyAt20(endpoint: Endpoints, emit: (index: number) => Promise<string>, receivers = 1) {
  endpoint.reset();
  const sent = new Map<string, number>();
  for (let index = 0; index < LATENCY_EVENTS; index++) {
    const sentAt = performance.now();
    sent.set(await emit(index), sentAt);
    await sleep(Math.max(0, 1000 / EVENTS_PER_SECOND - (performance.now() - sentAt)));
  }
  await endpoint.received(LATENCY_EVENTS * receivers);
  const latencies = [...sent].map(([tenantId, sentAt]) => (endpoint.firstAt("/0", tenantId) ?? Number.NaN) - sentAt);
  return { p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
}
