import { type InstallationOptions, startInstallation } from "../harness/installation.ts";
import { signedInProvider } from "./sign-on.ts";
import { addWorkers } from "./support/crowd.ts";
import { type Measured, measure, WARM_UP } from "./support/load.ts";
import { CONCURRENCY, operationsOfOne, signOnOperations, WARM_UP_OF_ONE } from "./support/provider.ts";
import { type BurstSeries, measureByTurns, type Side } from "./support/turns.ts";
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
const BURSTS = 20;

/** So many callers, how many operations come before the first figure and in each burst, and which figure is taken. */
interface Load {
  readonly concurrency: number;
  readonly before: number;
  readonly inBurst: number;
  figure(measured: Measured): number;
}

const BY_MANY: Load = {
  concurrency: CONCURRENCY,
  before: WARM_UP,
  inBurst: Math.ceil(operations / BURSTS),
  figure: ({ cpuMicroseconds }) => cpuMicroseconds,
};
const BY_ONE: Load = {
  concurrency: 1,
  before: WARM_UP_OF_ONE,
  inBurst: Math.ceil(operationsOfOne(operations) / BURSTS),
  figure: ({ p50Ms }) => p50Ms * 1_000,
};

async function start(options: InstallationOptions): Promise<Side> {
  const first = await startInstallation(undefined, true, options);
  const peers = connectPeers(first.socketDirectory);
  const world = await benchWorld(peers);
  await peers.close();
  await first.stop();
  addWorkers(first.directory, world.tenantId, LIST);
  const installation = await startInstallation(first.directory, false, options);
  const provider = await signedInProvider(installation, world).catch(async (error: unknown) => {
    await installation.stop();
    throw error;
  });
  const { connections, cpu } = provider;
  const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients/${world.tenantId}/workers`;
  const list = async () => void (await connections.send(200, path, { headers: { "x-api-key": world.apiKey } }));
  const { authorize, redeem, userinfo, refresh } = signOnOperations(provider);
  const seriesOf = (
    what: string,
    { concurrency, before, inBurst, figure }: Load,
    run: () => Promise<void>,
  ): BurstSeries => {
    const load = { concurrency, warmUp: 0, cpu, run };
    return {
      what,
      warmUp: () => measure({ ...load, operations: before }),
      burst: async () => figure(await measure({ ...load, operations: inBurst })),
    };
  };
  return {
    series: [
      seriesOf("25 rows asked again", BY_MANY, list),
      seriesOf("authorize, signed in", BY_MANY, authorize),
      seriesOf("code → tokens", BY_MANY, redeem),
      seriesOf("userinfo after the exchange", BY_MANY, userinfo),
      seriesOf("refresh", BY_MANY, refresh),
      seriesOf("authorize, one caller, p50", BY_ONE, authorize),
      seriesOf("code → tokens, one caller, p50", BY_ONE, redeem),
      seriesOf("userinfo, one caller, p50", BY_ONE, userinfo),
      seriesOf("refresh, one caller, p50", BY_ONE, refresh),
    ],
    async stop() {
      await connections.close();
      await installation.stop();
    },
  };
}

await measureByTurns(
  commit,
  {
    rounds,
    bursts: BURSTS,
    unit: `${operations} operations a series and round, µs of CPU or, with one caller, waited`,
  },
  start,
);
