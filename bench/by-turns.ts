import { setTimeout as sleep } from "node:timers/promises";
import { type InstallationOptions, startInstallation } from "../harness/installation.ts";
import { startEndpoints } from "./support/endpoints.ts";
import { emitTenant, subscribeToTenants } from "./support/events.ts";
import { runAll, WARM_UP } from "./support/load.ts";
import { type BurstSeries, measureByTurns, type Side } from "./support/turns.ts";
import { benchWorld, connectPeers } from "./support/world.ts";

/**
 * What an event and a delivery of a burst to ten subscriptions cost with the program of an earlier commit and with this
 * one, by turns: CPU of the product's process per delivery, the change included.
 * Usage: node bench/by-turns.ts <commit> [rounds] [deliveries per series]
 */
const commit = process.argv[2] ?? "";
const rounds = Number(process.argv[3] ?? 3);
const deliveries = Number(process.argv[4] ?? 20_000);

const CALLERS = 16;
const BURSTS = 10;

async function start(options: InstallationOptions): Promise<Side> {
  const installation = await startInstallation(undefined, false, options);
  const peers = connectPeers(installation.socketDirectory);
  const endpoint = await startEndpoints();
  const stop = async () => {
    endpoint.stop();
    await peers.close();
    await installation.stop();
  };
  const world = await benchWorld(peers).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  let names = 0;
  const emit = async () => void (await emitTenant(peers, world, `Tenant ${names++}`));
  let made = 0;
  const seriesOf = (what: string, subscriptions: number): BurstSeries => {
    const send = async (count: number) => {
      endpoint.reset();
      const events = Math.ceil(count / subscriptions);
      await runAll(events, CALLERS, 0, emit);
      await endpoint.received(events * subscriptions);
      // Outcomes are recorded shortly after the last arrival.
      await sleep(500);
      return events * subscriptions;
    };
    return {
      what,
      async warmUp() {
        for (; made < subscriptions; made++)
          await subscribeToTenants(peers, world, `by-turns-${made}`, `${endpoint.origin}/${made}`);
        await send(WARM_UP);
      },
      async burst() {
        const before = installation.cpu();
        const sent = await send(Math.ceil(deliveries / BURSTS));
        return (installation.cpu() - before) / sent;
      },
    };
  };
  return {
    series: [seriesOf("one event to one subscription", 1), seriesOf("delivery within a burst to 10", 10)],
    stop,
  };
}

await measureByTurns(
  commit,
  { rounds, bursts: BURSTS, unit: `${deliveries} deliveries a series and round, CPU µs of a delivery` },
  start,
);
