import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { startInstallation } from "../harness/installation.ts";
import { type GatewayWorld, gatewayWorld } from "./gateway-world.ts";
import { signedInProvider } from "./sign-on.ts";
import { openConnections } from "./support/http.ts";
import { percentile } from "./support/load.ts";
import { authorizeOnce } from "./support/provider.ts";
import { machine } from "./support/table.ts";
import { benchWorld, connectPeers } from "./support/world.ts";

/**
 * Reads of the gateway, four at a time, beside 16 writers (authorizations) while the disk takes long to flush, and the
 * same reads alone; and what it costs to hand a statement to another thread. Usage: node bench/slow-flush.ts [seconds a
 * series] [milliseconds of a flush …]
 */
const seconds = Number(process.argv[2] ?? 5);
const delays = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [0, 2, 10];

const WRITERS = 16;
const READERS = 4;
const ROWS = 25;
const WARM_UP_SECONDS = 2;
const HAND_OVERS = 20_000;

/** Operations in a closed loop for some seconds: how many a second, and how long each took, in milliseconds. */
async function loop(under: number, forSeconds: number, run: () => Promise<unknown>) {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + forSeconds * 1_000;
  const one = async () => {
    for (let sentAt = performance.now(); sentAt < endsAt; sentAt = performance.now()) {
      await run();
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: under }, one));
  return { perSecond: (latencies.length * 1_000) / (performance.now() - startedAt), latencies };
}

/** The product on a disk whose flush takes so much longer. */
async function measured(delayMs: number, library: string, world: GatewayWorld): Promise<string> {
  Object.assign(process.env, { LD_PRELOAD: library, FLUSH_DELAY_MS: String(delayMs) });
  const installation = await startInstallation(world.directory, true);
  delete process.env.LD_PRELOAD;
  const peers = connectPeers(installation.socketDirectory);
  const provider = await signedInProvider(installation, await benchWorld(peers));
  const connections = openConnections(installation.url, READERS);
  const read = () => connections.send(200, world.path(ROWS), { headers: { "x-api-key": world.apiKey } });
  const write = () => authorizeOnce(provider);
  await Promise.all([loop(WRITERS, WARM_UP_SECONDS, write), loop(READERS, WARM_UP_SECONDS, read)]);
  const alone = await loop(READERS, seconds, read);
  const [writes, reads] = await Promise.all([loop(WRITERS, seconds, write), loop(READERS, seconds, read)]);
  await connections.close();
  await provider.connections.close();
  await peers.close();
  await installation.stop();
  const ms = (latencies: readonly number[], part: number) => percentile(latencies, part).toFixed(1);
  return [
    `+ ${delayMs} ms`,
    writes.perSecond.toFixed(0),
    ms(writes.latencies, 0.5),
    reads.perSecond.toFixed(0),
    ms(reads.latencies, 0.5),
    ms(reads.latencies, 0.99),
    ms(alone.latencies, 0.5),
  ].join(" | ");
}

/** A statement of a few words to another thread and its answer back: microseconds of wall and of CPU, each alone. */
async function handOver(): Promise<string> {
  const worker = new Worker(
    'const { parentPort } = require("node:worker_threads"); parentPort.on("message", (words) => parentPort.postMessage(words));',
    { eval: true },
  );
  const once = (words: unknown) =>
    new Promise((resolve) => {
      worker.once("message", resolve);
      worker.postMessage(words);
    });
  const words = {
    sql: "update sign_on_families set generation = ? where number = ?",
    parameters: [1, 2, "x".repeat(64)],
  };
  for (let count = 0; count < HAND_OVERS / 4; count++) await once(words);
  const before = process.cpuUsage();
  const startedAt = performance.now();
  for (let count = 0; count < HAND_OVERS; count++) await once(words);
  const wall = ((performance.now() - startedAt) * 1_000) / HAND_OVERS;
  const { user, system } = process.cpuUsage(before);
  await worker.terminate();
  return `${wall.toFixed(0)} µs, of CPU ${((user + system) / HAND_OVERS).toFixed(0)} µs`;
}

const folder = mkdtempSync(join(tmpdir(), "gh-bench-"));
const library = join(folder, "flush-shim.so");
execFileSync("cc", ["-shared", "-fPIC", "-o", library, "test/support/flush-shim.c"]);
const world = await gatewayWorld([ROWS]);
try {
  const head = "a flush | writes/s | write p50 ms | reads/s | read p50 ms | read p99 ms | reads alone p50 ms";
  process.stdout.write(`${machine()}\n\n| ${head} |\n|---${"|---:".repeat(6)}|\n`);
  for (const delayMs of delays) process.stdout.write(`| ${await measured(delayMs, library, world)} |\n`);
  process.stdout.write(`\nA statement handed to another thread, and its answer: ${await handOver()}.\n`);
} finally {
  rmSync(world.directory, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
