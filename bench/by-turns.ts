import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type InstallationOptions, startInstallation } from "../harness/installation.ts";
import { checkOutOlder } from "../harness/older-checkout.ts";
import { startEndpoints } from "./support/endpoints.ts";
import { emitTenant, subscribeToTenants } from "./support/events.ts";
import { runAll, WARM_UP } from "./support/load.ts";
import { machine } from "./support/table.ts";
import { benchWorld, connectPeers } from "./support/world.ts";

/**
 * What an event and a delivery of a burst to ten subscriptions cost with the program of an earlier commit and with this
 * one, by turns, since a machine is not the same for an hour: CPU of the product's process per delivery, the change
 * included. Usage: node bench/by-turns.ts <commit> [rounds] [deliveries per series]
 */
const commit = process.argv[2] ?? "";
const rounds = Number(process.argv[3] ?? 5);
const deliveries = Number(process.argv[4] ?? 20_000);
if (process.platform !== "linux") throw new Error("The benchmarks read CPU times from /proc and run on Linux only.");
if (commit === "") throw new Error("Name the commit of the earlier program: make bench-by-turns FROM=<commit>");

const CALLERS = 16;
const SERIES = [
  { what: "one event to one subscription", subscriptions: 1 },
  { what: "delivery within a burst to 10", subscriptions: 10 },
] as const;

/** CPU µs of a delivery in each series, in the order of `SERIES`. */
async function measureProgram(options: InstallationOptions): Promise<readonly number[]> {
  const installation = await startInstallation(undefined, false, options);
  const peers = connectPeers(installation.socketDirectory);
  const endpoint = await startEndpoints();
  try {
    const world = await benchWorld(peers);
    let names = 0;
    const emit = async () => void (await emitTenant(peers, world, `Tenant ${names++}`));
    const costs: number[] = [];
    let made = 0;
    for (const { subscriptions } of SERIES) {
      for (; made < subscriptions; made++)
        await subscribeToTenants(peers, world, `by-turns-${made}`, `${endpoint.origin}/${made}`);
      const send = async (count: number) => {
        endpoint.reset();
        const events = Math.ceil(count / subscriptions);
        await runAll(events, CALLERS, 0, emit);
        await endpoint.received(events * subscriptions);
        // Outcomes are recorded shortly after the last arrival.
        await sleep(500);
        return events * subscriptions;
      };
      await send(WARM_UP);
      const before = installation.cpu();
      const sent = await send(deliveries);
      costs.push((installation.cpu() - before) / sent);
    }
    return costs;
  } finally {
    endpoint.stop();
    await peers.close();
    await installation.stop();
  }
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const listed = (numbers: readonly number[]) => numbers.map((one) => one.toFixed(0)).join(", ");

const older = checkOutOlder(commit);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    older.remove();
    process.exit(1);
  });
try {
  const program = join(older.directory, "bin", "gatehouse");
  const then: (readonly number[])[] = [];
  const now: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round++) {
    then.push(await measureProgram({ program }));
    now.push(await measureProgram({}));
  }
  console.log(`${machine()}; ${rounds} rounds by turns, ${deliveries} deliveries a series, CPU µs of a delivery\n`);
  console.log(`| work | ${commit} | this program | means |\n| --- | ---: | ---: | ---: |`);
  for (const [index, { what }] of SERIES.entries()) {
    const ofSeries = (costs: readonly number[]) => costs[index] ?? Number.NaN;
    const [before, after] = [then.map(ofSeries), now.map(ofSeries)] as const;
    const ratio = mean(after) / mean(before);
    console.log(`| ${what} | ${listed(before)} | ${listed(after)} | ${ratio.toFixed(2)} × |`);
  }
} finally {
  older.remove();
}
