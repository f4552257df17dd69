import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { auditRegistration } from "#runtime/audit/audit-entries-service.ts";
import { systemClock } from "#runtime/basis/clock.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { STORE_TROUBLE_TEXTS, type StoreTrouble } from "#runtime/basis/store-troubles.ts";
import { answersEraser } from "#runtime/changes/answers-eraser.ts";
import { runtimeMigrations } from "#runtime/changes/migrations.ts";
import { storeWatchLoop } from "#runtime/changes/store-watch-loop.ts";
import { runtimeSweepLoop, runtimeUpkeep } from "#runtime/changes/sweep-loop.ts";
import { openClientKeyAdvice } from "#runtime/database/client-key.ts";
import type { Store } from "#runtime/database/database.ts";
import type { Deadlines } from "#runtime/database/deadlines.ts";
import { type MigrationSet, migrate } from "#runtime/database/migrations.ts";
import { openPostgres } from "#runtime/database/postgres/postgres.ts";
import { openSqlite } from "#runtime/database/sqlite/sqlite.ts";
import {
  markStoreClosed,
  markStoreOpen,
  measureDisk,
  prepareStoreFile,
  settleMark,
  storePath,
} from "#runtime/database/sqlite/store-file.ts";
import { lockStore } from "#runtime/database/sqlite/store-lock.ts";
import { storeClock } from "#runtime/database/store-clock.ts";
import { passwordIn } from "#runtime/database/store-password.ts";
import { storeTroubleOf } from "#runtime/database/store-trouble.ts";
import type { TableUpkeep } from "#runtime/database/sweeping.ts";
import { erasureLoop } from "#runtime/erasure/erasure-loop.ts";
import { erasureMigrations } from "#runtime/erasure/erasures.ts";
import { outboxEraser } from "#runtime/outbox/outbox-eraser.ts";
import { type HealthCheck, restOf } from "#runtime/process/lifecycle.ts";
import { superviseLoops } from "#runtime/process/loop.ts";
import { type Carrier, type Interceptor, type Peer, type Registration, serviceOf } from "#runtime/rpc/call.ts";
import { type InProcessOptions, inProcessCarrier } from "#runtime/rpc/in-process.ts";
import { accessInterceptor, boundaryInterceptor, textInterceptor } from "#runtime/rpc/interceptors.ts";
import { type SocketServer, serveSocket } from "#runtime/rpc/socket-server.ts";
import { type MasterKeyNeed, masterKeyFile, parseMasterKeys } from "#runtime/sealing/master-key.ts";
import type { SealedColumn } from "#runtime/sealing/purposes.ts";
import { createSealer } from "#runtime/sealing/sealing.ts";
import { epochLoop } from "#runtime/upkeep/epoch-loop.ts";
import { removeLeftCopies } from "#runtime/upkeep/left-copies.ts";
import { rememberIssuer, type ServedIssuerTables } from "#runtime/upkeep/served-issuer.ts";
import { assertNumbersGoOn, type IdentityTables, identifyStore } from "#runtime/upkeep/store-identity.ts";
import { sealedProof } from "#runtime/upkeep/store-proof.ts";
import { endInterruptedReplacements } from "#runtime/upkeep/store-replacement.ts";
import { sweepClock } from "#runtime/upkeep/sweep-clock.ts";
import { tableSizes } from "#runtime/upkeep/table-sizes.ts";
import { upkeep } from "#runtime/upkeep/upkeep-service.ts";
import { postgresWake } from "#runtime/wake/postgres-wake.ts";
import { createWake, type Wake } from "#runtime/wake/wake.ts";
import { access } from "../access.ts";
import type { Config } from "../config.ts";
import { sealedPrivateKeys, signOnMigrations, signOnServices, signOnUpkeep } from "../sign-on/services.ts";
import {
  NUMBERS_ELSEWHERE,
  sealedOfSubscriptions,
  webhooksMigrations,
  webhooksServices,
  webhooksUpkeep,
} from "../webhooks/services.ts";
import { workforceMigrations, workforceServices, workforceUpkeep } from "../workforce/services.ts";
import { SOCKET_PEERS, socketPath } from "./carriers.ts";
import { ownListeners } from "./own-listeners.ts";
import { type Process, serveProcess } from "./process.ts";
import { takeSocketDirectory } from "./socket-directory.ts";

/** The exit code after a failed flush (EX_IOERR of sysexits.h); a supervisor starts the program again. */
const EX_IOERR = 74;

/** The exit code after a restore (EX_TEMPFAIL of sysexits.h); a supervisor starts the program again. */
const EX_TEMPFAIL = 75;

/** What a stop leaves to the parts behind the drain. */
const REST_OF_STOP_MS = 8_000;

/** Starts the services role: store, domains, sockets, loops. */
export async function startServices(
  config: Config,
  process: Process,
): Promise<{ carrier(peer: Peer, hand?: InProcessOptions["hand"]): Carrier }> {
  const { log, metrics } = process;
  const random = systemRandom;

  const { store, wake, masterKeys } = await openStore(config, process);
  const { clock, loops: ofClock } = await storeClock(store, metrics);
  const sealer = createSealer(masterKeys, random);
  const identity = await identifyStore(store.view<IdentityTables>(), {
    sealer,
    sealed: SEALED,
    random,
    now: clock.now(),
    log,
  });
  await rememberIssuer(store.view<ServedIssuerTables>(), config.issuer, log);

  const interceptors: readonly Interceptor[] = [
    boundaryInterceptor({ log, metrics }),
    accessInterceptor(access),
    textInterceptor(["operator", "platform"]),
  ];
  const sweeps = await sweepClock({ store, clock, log });
  const shared = { store, clock, sweepClock: sweeps.clock, random, wake, sealer, log, metrics };
  const workforce = workforceServices({ ...shared, settings: config.of.workforce, epoch: identity });
  // Calls from the other domains to workforce stay in this process, however the edge's calls are carried.
  const { connect } = inProcessCarrier({ peer: "services", registrations: workforce.registrations, interceptors });
  const retries = config["temporal-address"] === undefined ? "embedded" : "temporal";
  const signOn = await signOnServices({
    ...shared,
    connect,
    issuer: config.issuer,
    development: config.development,
    settings: config.of.signOn,
    expiry: retries,
  });
  const webhooks = webhooksServices({
    ...shared,
    connect,
    settings: config.of.webhooks,
    version: config.version,
    retries,
    own: ownListeners(config, process.ports),
  });

  const auditKeptDays = config["audit-kept-days"];
  const storeFile = fileOf(config);
  const sizes = tableSizes({ ...shared, storePath: storeFile, upkeep: tableUpkeep(config) });
  const ofStore = upkeep({ ...shared, identity, sizes, storePath: storeFile, sealed: SEALED });
  process.add({ name: "backup", stop: ofStore.stop });

  process.checks.push(...signOn.checks, ...webhooks.checks);

  const registrations = [
    ...workforce.registrations,
    ...signOn.registrations,
    ...webhooks.registrations,
    auditRegistration({ store }),
    ofStore.registration,
  ];
  const sockets: SocketServer[] = [];
  process.add({
    name: "sockets",
    // At once: one after the other, a long call of the first would leave the calls of the others no time.
    stop: async (graceMs) => void (await Promise.all(sockets.map((socket) => socket.stop(graceMs - restOf(graceMs))))),
  });
  const directory = config["socket-directory"];
  const place = await takeSocketDirectory(directory);
  try {
    for (const peer of SOCKET_PEERS) {
      const path = socketPath(directory, peer);
      sockets.push(await serveSocket({ path, peer, registrations: offeredTo(peer, registrations), interceptors }));
    }
  } finally {
    place.release();
  }
  const sayServing = (isServing: boolean) => {
    for (const socket of sockets) socket.serving(isServing && !process.stopping.aborted);
  };
  process.stopping.addEventListener("abort", () => sayServing(false));
  const loops = superviseLoops(
    [
      ...ofClock,
      ...sweeps.loops,
      ...workforce.loops,
      ...signOn.loops,
      ...webhooks.loops,
      // Seats before events, the outbox before the deliveries that a relay makes of it.
      erasureLoop({
        store,
        clock,
        wake,
        erasers: [
          ...workforce.erasers,
          outboxEraser(store),
          answersEraser(store),
          ...signOn.erasers,
          ...webhooks.erasers,
        ],
      }),
      runtimeSweepLoop({ store, clock, sweepClock: sweeps.clock, auditKeptDays }),
      sizes.loop,
      // What this process remembers, for example for entity tags, is of the epoch in which it has started.
      epochLoop({
        store,
        wake,
        identity,
        onOtherEpoch: () =>
          process.end(
            "The store has been restored: ending, so that a new start reads what is there.",
            new Error(`It is no longer in epoch ${identity.epoch}.`),
            EX_TEMPFAIL,
          ),
      }),
      storeWatchLoop({
        store,
        clock,
        log,
        onChange: (trouble) => sayServing(trouble === undefined || ANSWERS_READS.has(trouble)),
      }),
    ],
    { log, metrics },
  );
  process.checks.push({ ...loops.check, name: "services loops" });
  process.add({ name: "services loops", stop: loops.stop });

  return { carrier: (peer, hand = "over") => inProcessCarrier({ peer, registrations, interceptors, hand }) };
}

/** With these troubles of the store reads are still answered, so edges stay in use (R-X175). */
const ANSWERS_READS: ReadonlySet<StoreTrouble> = new Set(["full", "hangs", "read_only", "busy"]);

/** Only services that the peer may call are registered on its socket; the interceptor is the second check. */
const offeredTo = (peer: Peer, registrations: readonly Registration[]): readonly Registration[] =>
  registrations.filter(({ definition }) => {
    const path = Object.values(definition)[0]?.path ?? "//";
    return (access as Readonly<Record<string, readonly Peer[]>>)[serviceOf(path)]?.includes(peer);
  });

interface OpenedStore {
  readonly store: Store;
  readonly wake: Wake;
  readonly masterKeys: readonly Buffer[];
}

async function openStore(config: Config, process: Process): Promise<OpenedStore> {
  const url = config["store-url"];
  const opened = url === undefined ? await openEmbedded(config, process) : await openShared(url, config, process);
  opened.store.health.measure(process.metrics);
  process.checks.push(storeCheck(opened.store));
  return opened;
}

/**
 * The order matters: the master key is on the disk before the store exists, and the store is complete before it is
 * marked.
 */
async function openEmbedded(config: Config, process: Process): Promise<OpenedStore> {
  const directory = config["data-directory"];
  const lock = lockStore(directory);
  process.add({ name: "lock of the data directory", stop: async () => lock.release() });
  removeLeftCopies(directory, systemClock.now());
  const isNew = prepareStoreFile(directory);
  endInterruptedReplacements(directory);
  const masterKeys = masterKeysOf(config, {
    mayMake: isNew,
    made: (path) =>
      process.log.info("A master key was made: keep a copy of it, apart from the backups.", { detail: path }),
  });
  let isComplete = false;
  let isClosed: boolean | undefined;
  const store = openSqlite(storePath(directory), {
    onFlushFailed: (error) =>
      process.end(
        "The disk did not flush what was written: ending, so that a new start reads what is there.",
        error,
        EX_IOERR,
      ),
    beforeClosing() {
      if (isComplete) isClosed = markStoreClosed(directory);
    },
    afterClosing() {
      if (isClosed === false && !settleMark(directory))
        process.log.warn("The log of the store was not copied into its main file: the two belong together.");
    },
  });
  process.add({ name: "store", stop: () => store.close() });
  await migrate(store, migrations, systemClock.now());
  // Also when the mark cannot be written: the main file says then that it is in use.
  isComplete = true;
  markStoreOpen(directory);
  measureDisk(storePath(directory), process.metrics);
  const wake = createWake();
  process.add({ name: "wake", stop: () => wake.close() });
  return { store, wake, masterKeys };
}

async function openShared(url: string, config: Config, process: Process): Promise<OpenedStore> {
  const masterKeys = masterKeysOf(config, { mayMake: false });
  const file = config.paths["store-url"];
  const openKey = openClientKeyAdvice(url);
  if (openKey !== undefined)
    process.log.warn("The private key that proves us to PostgreSQL can be read by others.", { detail: openKey });
  const password = file === undefined ? undefined : passwordIn(file, url);
  const store = await openPostgres(url, {
    password,
    connections: config["store-connections"],
    deadlines: deadlinesOf(config),
    stopping: process.stopping,
  });
  process.add({ name: "store", stop: () => store.close() });
  const wake = postgresWake(url, process.log, undefined, password);
  process.add({ name: "wake", stop: () => wake.close() });
  await migrate(store, migrations, systemClock.now());
  await assertNumbersGoOn(store.view(), NUMBERS_ELSEWHERE);
  return { store, wake, masterKeys };
}

export const deadlinesOf = (config: Config): Deadlines => ({
  connectMs: config["store-connect-timeout-ms"],
  statementMs: config["store-statement-timeout-ms"],
  transactionMs: config["store-transaction-timeout-ms"],
  migrationMs: config["store-migration-timeout-ms"],
});

/** Ready only while the last real write succeeded and the store answers within a transaction. */
const storeCheck = (store: Store): HealthCheck => ({
  name: "store",
  async check() {
    const { trouble } = store.health;
    if (trouble !== undefined) return STORE_TROUBLE_TEXTS[trouble];
    const db = store.view<{ migration_ledger: { readonly owner: string } }>();
    try {
      await db.transaction().execute((tx) => tx.selectFrom("migration_ledger").select("owner").limit(1).execute());
      return undefined;
    } catch (error) {
      const met = store.health.trouble ?? storeTroubleOf((error as Error).cause);
      return met === undefined ? "failed" : STORE_TROUBLE_TEXTS[met];
    }
  },
});

/** Main file of the embedded store; `undefined` on PostgreSQL. */
const fileOf = (config: Config): string | undefined =>
  config["store-url"] === undefined ? storePath(config["data-directory"]) : undefined;

/** @throws CannotStart when there is no master key and none may be made. */
export const masterKeysOf = (config: Config, need: MasterKeyNeed): readonly Buffer[] =>
  config["master-keys"] === undefined
    ? masterKeyFile(join(config["data-directory"], "master.key"), systemRandom, need)
    : parseMasterKeys(config["master-keys"]);

/** `serve --role services`. */
export async function serveServices(config: Config): Promise<void> {
  await serveProcess(config, async (process) => {
    await startServices(config, process);
    // The first part to be stopped: edges and their balancers see "not ready" before any call is refused. A process that
    // ends since it must not go on has a shorter time, and so no drain.
    process.add({
      name: "drain of services",
      stop: (graceMs) => sleep(Math.min(config["drain-milliseconds"], Math.max(0, graceMs - REST_OF_STOP_MS))),
    });
    return process.ready();
  });
}

/** Every owner's migrations, runtime first; there are no foreign keys between owners, so the rest has no order. */
export const migrations: readonly MigrationSet[] = [
  runtimeMigrations,
  erasureMigrations,
  workforceMigrations,
  signOnMigrations,
  webhooksMigrations,
];

/** What becomes of the rows of every table (R-X249). */
export const tableUpkeep = (
  config: Pick<Config, "audit-kept-days" | "webhook-body-days" | "webhook-delivery-days">,
): readonly TableUpkeep[] => [
  ...runtimeUpkeep(config["audit-kept-days"]),
  ...workforceUpkeep,
  ...signOnUpkeep,
  ...webhooksUpkeep(config),
];

/** Where every owner stores what a master key seals (R-X353). */
export const SEALED: readonly SealedColumn[] = [sealedProof, sealedPrivateKeys, ...sealedOfSubscriptions];
