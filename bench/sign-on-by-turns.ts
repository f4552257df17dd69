import { type InstallationOptions, startInstallation } from "../harness/installation.ts";
import { signedInProvider } from "./sign-on.ts";
import { addWorkers } from "./support/crowd.ts";
import { measure, WARM_UP } from "./support/load.ts";
import { CONCURRENCY, signOnSeriesOfCallers } from "./support/provider.ts";
import { type Figures, measureByTurns } from "./support/turns.ts";
import { benchWorld, connectPeers } from "./support/world.ts";

/**
 * What the operations of sign-on and a list of 25 workers asked again cost with the program of an earlier commit and with
 * this one, by turns: CPU of the product's process per operation with 16 callers, and what a caller alone waits.
 * Usage: node bench/sign-on-by-turns.ts <commit> [rounds] [operations per series]
 */
const commit = process.argv[2] ?? "";
const rounds = Number(process.argv[3] ?? 3);
const operations = Number(process.argv[4] ?? 10_000);

const LIST = 25;

async function measureProgram(options: InstallationOptions): Promise<Figures> {
  const first = await startInstallation(undefined, true, options);
  const peers = connectPeers(first.socketDirectory);
  const world = await benchWorld(peers);
  await peers.close();
  await first.stop();
  addWorkers(first.directory, world.tenantId, LIST);
  const installation = await startInstallation(first.directory, false, options);
  try {
    const provider = await signedInProvider(installation, world);
    const { connections, cpu } = provider;
    const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients/${world.tenantId}/workers`;
    const run = async () => void (await connections.send(200, path, { headers: { "x-api-key": world.apiKey } }));
    const list = await measure({ operations, concurrency: CONCURRENCY, warmUp: WARM_UP, cpu, run });
    const { many, one } = await signOnSeriesOfCallers(provider, operations);
    await connections.close();
    return new Map([
      ["authorize, signed in", many.authorize.cpuMicroseconds],
      ["code → tokens", many.redeem.cpuMicroseconds],
      ["userinfo after the exchange", many.userinfo.cpuMicroseconds],
      ["refresh", many.refresh.cpuMicroseconds],
      ["25 rows asked again", list.cpuMicroseconds],
      ["authorize, one caller, p50", one.authorize.p50Ms * 1_000],
      ["code → tokens, one caller, p50", one.redeem.p50Ms * 1_000],
      ["userinfo, one caller, p50", one.userinfo.p50Ms * 1_000],
      ["refresh, one caller, p50", one.refresh.p50Ms * 1_000],
    ]);
  } finally {
    await installation.stop();
  }
}

await measureByTurns(commit, rounds, `${operations} operations a series, CPU µs of an operation`, measureProgram);
