import { join } from "node:path";
import type { HealthCheck } from "#runtime/basis/lifecycle.ts";
import { superviseLoops } from "#runtime/basis/loop.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { runtimeSweepLoop } from "#runtime/changes/sweep-loop.ts";
import type { Store } from "#runtime/database/database.ts";
import { migrate } from "#runtime/database/migrations.ts";
import { openPostgres } from "#runtime/database/postgres.ts";
import { openSqlite } from "#runtime/database/sqlite.ts";
import { storeClock } from "#runtime/database/store-clock.ts";
import { lockStore } from "#runtime/database/store-lock.ts";
import type { Carrier, Interceptor, Peer, Registration } from "#runtime/rpc/call.ts";
import { serviceOf } from "#runtime/rpc/call.ts";
import { type InProcessOptions, inProcessCarrier } from "#runtime/rpc/in-process.ts";
import { accessInterceptor, boundaryInterceptor } from "#runtime/rpc/interceptors.ts";
import { serveSocket } from "#runtime/rpc/socket-server.ts";
import { masterKeyFile, parseMasterKeys } from "#runtime/sealing/master-key.ts";
import { createSealer } from "#runtime/sealing/sealing.ts";
import { postgresWake } from "#runtime/wake/postgres-wake.ts";
import { createWake, type Wake } from "#runtime/wake/wake.ts";
import { access } from "../access.ts";
import type { Config } from "../config.ts";
import { signOnServices } from "../sign-on/services.ts";
import { webhooksServices } from "../webhooks/services.ts";
import { workforceServices } from "../workforce/services.ts";
import { SOCKET_PEERS, socketPath } from "./carriers.ts";
import { migrations } from "./migrate.ts";
import { type Process, startProcess, untilSignal } from "./process.ts";

/** Starts the services role: store, domains, sockets, loops. */
export async function startServices(
  config: Config,
  process: Process,
): Promise<{ carrier(peer: Peer, hand?: InProcessOptions["hand"]): Carrier }> {
  const { log, metrics } = process;
  const random = systemRandom;

  const { store, wake } = await openStore(config, process);
  const { clock, loops: ofClock } = await storeClock(store, metrics);
  await migrate(store, migrations, clock.now());
  const sealer = createSealer(masterKeys(config), random);

  const interceptors: readonly Interceptor[] = [boundaryInterceptor({ log, metrics }), accessInterceptor(access)];
  const shared = { store, clock, random, wake, sealer, log, metrics };
  const workforce = workforceServices({ ...shared, settings: config });
  // What the other domains ask workforce stays in this process, whatever carries the edge's calls.
  const { connect } = inProcessCarrier({ peer: "services", registrations: workforce.registrations, interceptors });
  const retries = config["temporal-address"] === undefined ? "embedded" : "temporal";
  const signOn = await signOnServices({
    ...shared,
    connect,
    issuer: config.issuer,
    development: config.development,
    settings: config,
    expiry: retries,
  });
  const webhooks = webhooksServices({ ...shared, connect, settings: config, version: config.version, retries });

  process.checks.push(...signOn.checks, ...webhooks.checks);

  const registrations = [...workforce.registrations, ...signOn.registrations, ...webhooks.registrations];
  for (const peer of SOCKET_PEERS) {
    const path = socketPath(config["socket-directory"], peer);
    const server = await serveSocket({ path, peer, registrations: offeredTo(peer, registrations), interceptors });
    process.add({ name: `socket of ${peer}`, stop: server.stop });
  }
  const loops = superviseLoops(
    [...ofClock, ...workforce.loops, ...signOn.loops, ...webhooks.loops, runtimeSweepLoop({ store, clock })],
    { log, metrics },
  );
  process.add({ name: "services loops", stop: loops.stop });

  return { carrier: (peer, hand = "over") => inProcessCarrier({ peer, registrations, interceptors, hand }) };
}

/** Only what the peer may call is registered on its socket; the interceptor is the second wall. */
const offeredTo = (peer: Peer, registrations: readonly Registration[]): readonly Registration[] =>
  registrations.filter(({ definition }) => {
    const path = Object.values(definition)[0]?.path ?? "//";
    return (access as Readonly<Record<string, readonly Peer[]>>)[serviceOf(path)]?.includes(peer);
  });

async function openStore(config: Config, process: Process): Promise<{ store: Store; wake: Wake }> {
  const url = config["store-url"];
  if (url === undefined) {
    const lock = lockStore(config["data-directory"]);
    process.add({ name: "lock of the data directory", stop: async () => lock.release() });
  }
  const store =
    url === undefined
      ? openSqlite(join(config["data-directory"], "gatehouse.sqlite"))
      : await openPostgres(url, { connections: config["store-connections"] });
  process.add({ name: "store", stop: () => store.close() });
  const wake = url === undefined ? createWake() : postgresWake(url, process.log);
  process.add({ name: "wake", stop: () => wake.close() });
  process.checks.push(storeCheck(store));
  return { store, wake };
}

/** Ready only while the store answers within a transaction. */
const storeCheck = (store: Store): HealthCheck => ({
  name: "store",
  async check() {
    const db = store.view<{ migration_ledger: { readonly owner: string } }>();
    await db.transaction().execute((tx) => tx.selectFrom("migration_ledger").select("owner").limit(1).execute());
    return undefined;
  },
});

const masterKeys = (config: Config): readonly Buffer[] =>
  config["master-keys"] === undefined
    ? masterKeyFile(join(config["data-directory"], "master.key"), systemRandom)
    : parseMasterKeys(config["master-keys"]);

/** `serve --role services`. */
export async function serveServices(config: Config): Promise<void> {
  const running = await startProcess(config, async (process) => {
    await startServices(config, process);
    return process.ready();
  });
  untilSignal(running);
}
