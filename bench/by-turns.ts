import { setTimeout as sleep } from "node:timers/promises";
import { type InstallationOptions, startInstallation } from "../harness/installation.ts";
import { startEndpoints } from "./support/endpoints.ts";
import { emitTenant, subscribeToTenants } from "./support/events.ts";
import { runAll, WARM_UP } from "./support/load.ts";
import { type Figures, measureByTurns } from "./support/turns.ts";
import { benchWorld, connectPeers } from "./support/world.ts";

/**
 * What an event and a delivery of a burst to ten subscriptions cost with the program of an earlier commit and with this
 * one, by turns: CPU of the product's process per delivery, the change included.
 * Usage: node bench/by-turns.ts <commit> [rounds] [deliveries per series]
 */
const commit = process.argv[2] ?? "";
const rounds = Number(process.argv[3] ?? 5);
const deliveries = Number(process.argv[4] ?? 20_000);

const CALLERS = 16;
const SERIES = [
  { what: "one event to one subscription", subscriptions: 1 },
  { what: "delivery within a burst to 10", subscriptions: 10 },
] as const;

async function measureProgram(options: InstallationOptions): Promise<Figures> {
  const installation = await startInstallation(undefined, false, options);
  const peers = connectPeers(installation.socketDirectory);
  const endpoint = await startEndpoints();
  try {
    const world = await benchWorld(peers);
    let names = 0;
    const emit = async () => void (await emitTenant(peers, world, `Tenant ${names++}`));
    const costs = new Map<string, number>();
    let made = 0;
    for (const { what, subscriptions } of SERIES) {
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
      costs.set(what, (installation.cpu() - before) / sent);
    }
    return costs;
  } finally {
    endpoint.stop();
    await peers.close();
    await installation.stop();
  }
}

await measureByTurns(commit, rounds, `${deliveries} deliveries a series, CPU µs of a delivery`, measureProgram);
