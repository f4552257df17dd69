import { setTimeout as sleep } from "node:timers/promises";
import { startInstallation } from "../harness/installation.ts";
import { benchGateway } from "./gateway.ts";
import { benchImport } from "./import.ts";
import { benchPostgres } from "./postgres.ts";
import { benchSignOn } from "./sign-on.ts";
import { benchStart } from "./start.ts";
import { machine, table } from "./support/table.ts";
import { benchWorld, connectPeers } from "./support/world.ts";
import { benchWebhooks } from "./webhooks.ts";

/**
 * Measures the product and compares it with floors of the same run. Figures are CPU microseconds of the whole product
 * process per operation; compare
 * within one run. Usage: node bench/run.ts [operations per series]
 */
// Retries by Temporal have a program of their own, bench/temporal.ts: they need its server.
const operations = Number(process.argv[2] ?? 5_000);
if (process.platform !== "linux") throw new Error("The benchmarks read CPU times from /proc and run on Linux only.");

/** V8 collects what is left of a load, and gives the pages back, some 100 seconds after its last collection. */
const QUIET_MS = 180_000;

const start = await benchStart();
const installation = await startInstallation();
const peers = connectPeers(installation.socketDirectory);
const world = await benchWorld(peers);
const rows = [
  ...(await benchSignOn(installation, world, operations)).rows,
  ...(await benchWebhooks(installation, peers, world, operations)),
  // A line is much less than a request.
  ...(await benchImport(installation, operations * 8)),
];
const loadedMib = installation.residentMib();
await sleep(QUIET_MS);
const quietMib = installation.residentMib();
await peers.close();
await installation.stop();
const gateway = await benchGateway(operations);
const postgres = await benchPostgres(operations);

console.log(`${machine()}; ${operations} operations a series, 16 under way unless a row says otherwise\n`);
console.log(table([...rows, ...gateway.rows, ...postgres]));
console.log(
  `\nStart to ready: ${start.firstStartMs.toFixed(0)} ms with an empty directory, ${start.laterStartMs.toFixed(0)} ms later. ` +
    `Resident memory: ${start.residentMib.toFixed(0)} MiB after start, ${loadedMib.toFixed(0)} MiB after sign-on, webhooks and the import, ` +
    `${quietMib.toFixed(0)} MiB after three quiet minutes.`,
);
console.log(gateway.notes);
