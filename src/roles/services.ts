import { setTimeout as sleep } from "node:timers/promises";
import { auditRegistration } from "#runtime/audit/audit-entries-service.ts";
import { inTime } from "#runtime/basis/in-time.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import type { StoreTrouble } from "#runtime/basis/store-troubles.ts";
import { answersEraser } from "#runtime/changes/answers-eraser.ts";
import { storeWatchLoop } from "#runtime/changes/store-watch-loop.ts";
import { runtimeSweepLoop } from "#runtime/changes/sweep-loop.ts";
import { storeClock } from "#runtime/database/store-clock.ts";
import { erasureLoop } from "#runtime/erasure/erasure-loop.ts";
import { outboxEraser } from "#runtime/outbox/outbox-eraser.ts";
import { restOf } from "#runtime/process/lifecycle.ts";
import { superviseLoops } from "#runtime/process/loop.ts";
import { type Carrier, type Interceptor, type Peer, type Registration, serviceOf } from "#runtime/rpc/call.ts";
import { type InProcessOptions, inProcessCarrier } from "#runtime/rpc/in-process.ts";
import { accessInterceptor, boundaryInterceptor, textInterceptor } from "#runtime/rpc/interceptors.ts";
import { type SocketServer, serveSocket } from "#runtime/rpc/socket-server.ts";
import { createSealer } from "#runtime/sealing/sealing.ts";
import { epochLoop } from "#runtime/upkeep/epoch-loop.ts";
import { measureLastBackup } from "#runtime/upkeep/last-backup.ts";
import { rememberIssuer, type ServedIssuerTables } from "#runtime/upkeep/served-issuer.ts";
import { type IdentityTables, identifyStore } from "#runtime/upkeep/store-identity.ts";
import { sweepClock } from "#runtime/upkeep/sweep-clock.ts";
import { tableSizes } from "#runtime/upkeep/table-sizes.ts";
import { upkeep } from "#runtime/upkeep/upkeep-service.ts";
import { access } from "../access.ts";
import type { Config } from "../config.ts";
import { signOnServices } from "../sign-on/services.ts";
import { webhooksServices } from "../webhooks/services.ts";
import { workforceServices } from "../workforce/services.ts";
import { SOCKET_PEERS, socketPath } from "./carriers.ts";
import { openStore, storeFileOf } from "./opened-store.ts";
import { ownListeners } from "./own-listeners.ts";
import { SEALED, tableUpkeep } from "./owners.ts";
import { type Process, serveProcess } from "./process.ts";
import { takeSocketDirectory } from "./socket-directory.ts";

/** The exit code after a restore (EX_TEMPFAIL of sysexits.h); a supervisor starts the program again. */
const EX_TEMPFAIL = 75;

/** What a stop leaves to the parts behind the drain. */
const REST_OF_STOP_MS = 8_000;

/** What waiting for a worker's reports leaves to them; until then everything else is answered, too. */
const REST_OF_REPORTS_MS = 4_000;

interface RunningServices {
  carrier(peer: Peer, hand?: InProcessOptions["hand"]): Carrier;
  /** Gives a worker nothing more to send, and waits for the reports of what it sends, for so long at most (R-X416). */
  readonly leave: (ms: number) => Promise<void>;
}

/** Starts the services role: store, domains, sockets, loops. */
export async function startServices(config: Config, process: Process): Promise<RunningServices> {
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
  const storeFile = storeFileOf(config);
  const sizes = tableSizes({ ...shared, storePath: storeFile, upkeep: tableUpkeep(config) });
  // PostgreSQL is backed up by its own tools.
  if (storeFile !== undefined) measureLastBackup(store, metrics);
  const ofStore = upkeep({ ...shared, identity, sizes, storePath: storeFile, sealed: SEALED });
  process.add({ name: "backup", stop: ofStore.stop });
  process.add({
    name: "notes",
    // Behind the sockets: calls go on to be answered while the loops end, which write such notes until then.
    stop: async (graceMs) =>
      void (await inTime(Promise.all([workforce.writeNotes(), signOn.writeNotes()]), restOf(graceMs))),
  });

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

  return {
    carrier: (peer, hand = "over") => inProcessCarrier({ peer, registrations, interceptors, hand }),
    leave: webhooks.leave,
  };
}

/** With these troubles of the store reads are still answered, so edges stay in use (R-X175). */
const ANSWERS_READS: ReadonlySet<StoreTrouble> = new Set(["full", "hangs", "read_only", "busy"]);

/** Only services that the peer may call are registered on its socket; the interceptor is the second check. */
const offeredTo = (peer: Peer, registrations: readonly Registration[]): readonly Registration[] =>
  registrations.filter(({ definition }) => {
    const path = Object.values(definition)[0]?.path ?? "//";
    return (access as Readonly<Record<string, readonly Peer[]>>)[serviceOf(path)]?.includes(peer);
  });

/** `serve --role services`. */
export async function serveServices(config: Config): Promise<void> {
  await serveProcess(config, async (process) => {
    const services = await startServices(config, process);
    // The first part to be stopped: edges and their balancers see "not ready" before any call is refused. A process that
    // ends since it must not go on has a shorter time, and so no drain.
    process.add({
      name: "drain of services",
      async stop(graceMs) {
        await Promise.all([
          sleep(Math.min(config["drain-milliseconds"], Math.max(0, graceMs - REST_OF_STOP_MS))),
          services.leave(Math.max(0, graceMs - REST_OF_REPORTS_MS)),
        ]);
      },
    });
    return process.ready();
  });
}
