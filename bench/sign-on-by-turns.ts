import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type InstallationOptions, startInstallation } from "../harness/installation.ts";
import { familyCpuMicroseconds } from "../harness/process-cost.ts";
import { type PostgresServer, startPostgres } from "../test/support/postgres-server.ts";
import { signedInProvider } from "./sign-on.ts";
import { type Measured, measure, WARM_UP } from "./support/load.ts";
import { CONCURRENCY, operationsOfOne, signOnOperations, WARM_UP_OF_ONE } from "./support/provider.ts";
import { type BurstSeries, measureByTurns, type Side } from "./support/turns.ts";
import { benchWorld, connectPeers, onboarding } from "./support/world.ts";

/**
 * What the operations of sign-on and a list of 25 workers asked again cost with the program of an earlier commit and with
 * this one, by turns: CPU of the product's process per operation with 16 callers, and what a caller alone waits. On PostgreSQL the
 * CPU of the server's processes is added; its commits are not flushed.
 * Usage: node bench/sign-on-by-turns.ts <commit> [rounds] [operations per series] [embedded | postgres]
 */
const commit = process.argv[2] ?? "";
const rounds = Number(process.argv[3] ?? 3);
const operations = Number(process.argv[4] ?? 10_000);
const postgres = process.argv[5] === "postgres" ? await startPostgres() : undefined;

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

/** Settings of a product with a new database, where there is a server. */
async function ownDatabase(server: PostgresServer | undefined): Promise<Readonly<Record<string, string>>> {
  if (server === undefined) return {};
  const name = `bench_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ host: server.directory, user: "gatehouse", database: "postgres" });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const storeUrl = `postgresql://gatehouse@${encodeURIComponent(server.directory)}/${name}`;
  return { "store-url": storeUrl, "master-keys": randomBytes(32).toString("base64") };
}

/** CPU time of the server's processes so far; only one product is at work at a time. */
function cpuOfServer(): number {
  if (postgres === undefined) return 0;
  return familyCpuMicroseconds(
    Number.parseInt(readFileSync(join(postgres.directory, "data", "postmaster.pid"), "utf8"), 10),
  );
}

async function start(options: InstallationOptions): Promise<Side> {
  const settings = await ownDatabase(postgres);
  const installation = await startInstallation(undefined, false, { ...options, settings });
  const peers = connectPeers(installation.socketDirectory);
  const world = await benchWorld(peers);
  for (let row = 0; row < LIST; row++)
    await peers.platform.onboardWorker(onboarding(world.tenantId, `worker-${row}@harbour.example`));
  await peers.close();
  const provider = await signedInProvider(installation, world).catch(async (error: unknown) => {
    await installation.stop();
    throw error;
  });
  const { connections } = provider;
  const cpu = () => provider.cpu() + cpuOfServer();
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

try {
  await measureByTurns(
    commit,
    {
      rounds,
      bursts: BURSTS,
      unit: `${operations} operations a series and round, µs of CPU or, with one caller, waited`,
    },
    start,
  );
} finally {
  await postgres?.stop();
}
