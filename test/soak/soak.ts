import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ErasureService } from "../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { dice } from "../faults/weather/dice.ts";
import { UNDISTURBED } from "../faults/weather/fleet.ts";
import { openLedger } from "../faults/weather/ledger.ts";
import { gatewayLoad, platformLoad, type Scene } from "../faults/weather/platform-load.ts";
import { openPostgresStore, type PostgresStore } from "../faults/weather/postgres-store.ts";
import { TEST_MASTER_KEY } from "../support/gatehouse.ts";
import { openProcesses } from "../support/processes.ts";
import { makeWorld, present } from "../support/world.ts";
import { erasures, failingReceiver, operators, people, type Soaked } from "./load.ts";
import { reportOf, WRITTEN } from "./report.ts";
import { embeddedLook, postgresLook, valuesOf } from "./samples.ts";
import type { Sample } from "./verdict.ts";

/*
 * Everything at once for a long time: sign-ins, refreshes, reads, writes, webhooks of which some fail, exports, backups, erasures, sweeps.
 * The product's clock jumps ahead by a day every few seconds, and ages are short, so that everything reaches its age within the run. Prints
 * afterwards whether tables, memory, handles and files stayed flat. Usage: node test/soak/soak.ts [minutes] [embedded|postgres] [seed]; exit
 * code 1 when something grew.
 */

const MINUTES = Number(process.argv[2] ?? 60);
const STORE = process.argv[3] ?? "embedded";
if (!["embedded", "postgres"].includes(STORE)) {
  process.stderr.write(`The store of a soak is embedded or postgres, not ${STORE}.\n`);
  process.exit(64);
}
const IS_EMBEDDED = STORE === "embedded";
const SEED = process.argv[4] ?? String(randomInt(2 ** 31));
const CLOCK = join(import.meta.dirname, "..", "support", IS_EMBEDDED ? "jumping-clock.mjs" : "jumping-store-clock.mjs");
/** The longest age, that of sign-ins, is 90 days: the warm-up has 100. */
const WARM_UP_DAYS = 100;
const WARM_UP_PART = 0.35;
const DAY_MS = Math.round((MINUTES * 60_000 * WARM_UP_PART) / WARM_UP_DAYS);
const LOOK_EVERY_MS = 10_000;
const WRITERS = 2;

const FLAGS = {
  "log-level": "error",
  "webhook-attempt-delays": "1s,2s",
  "webhook-timeout-ms": "2000",
  "webhook-body-days": "5",
  "webhook-delivery-days": "10",
  "audit-kept-days": "30",
};

const urlOf = ({ user, socket, database }: PostgresStore): string =>
  `postgresql://${user}@${encodeURIComponent(dirname(socket))}/${database}`;

const closers: (() => Promise<void>)[] = [];
const directory = mkdtempSync(join(tmpdir(), "gh-soak-"));
process.stdout.write(
  `Soak of ${MINUTES} minutes, store ${STORE}, seed ${SEED}; a day of the product's clock every ${DAY_MS} ms.\n`,
);
try {
  const postgres = IS_EMBEDDED ? undefined : await newPostgres();
  const look = postgres === undefined ? embeddedLook(directory) : postgresLook(postgres);
  const startedAt = Date.now();
  const gatehouse = await openProcesses((closer) => void closers.push(closer), {
    dataDirectory: directory,
    flags: {
      ...FLAGS,
      ...(postgres !== undefined && { "store-url": urlOf(postgres), "master-keys": TEST_MASTER_KEY }),
    },
    launched: true,
    environment: {
      NODE_OPTIONS: `--import=${CLOCK}`,
      TEST_CLOCK_FROM_MS: String(startedAt + 20_000),
      TEST_CLOCK_DAY_MS: String(DAY_MS),
    },
  });
  const program = present(gatehouse.programs.all);
  const chance = dice(SEED);
  const ledger = openLedger(startedAt);
  const lifetimes = {
    accessTokenSeconds: null,
    idTokenSeconds: null,
    refreshTokenIdleSeconds: 5 * 86_400,
    refreshTokenAbsoluteSeconds: 20 * 86_400,
  };
  const world = await makeWorld(gatehouse, { application: { lifetimes } });
  const receiver = await failingReceiver(chance.of("receiver"), ledger);
  await gatehouse.webhooks.createSubscription({
    label: "soak",
    instanceIntegrationId: world.instanceIntegrationId,
    endpointUrl: receiver.url,
    eventTypes: ["*"],
    tenantIds: [],
  });
  const over = new AbortController();
  const platform = socketCarrier(join(directory, "sockets", "platform.sock"));
  closers.push(() => platform.close());
  const { signal } = over;
  const soaked: Soaked = {
    url: gatehouse.url,
    directory,
    isEmbedded: IS_EMBEDDED,
    world,
    ledger,
    erasure: platform.connect(ErasureService),
    signal,
  };
  const scene: Scene = { urls: [gatehouse.url], fleet: UNDISTURBED, ledger, world, peers: [gatehouse], signal };
  const load = [
    ...Array.from({ length: WRITERS }, (_, index) => platformLoad(scene, chance.of(`writer ${index}`), `soak${index}`)),
    gatewayLoad(scene, chance.of("gateway")),
    people(soaked, chance.of("people")),
    erasures(soaked, chance.of("erasures")),
    operators(soaked, chance.of("operators")),
  ];

  const samples: Sample[] = [];
  const endAt = startedAt + MINUTES * 60_000;
  while (Date.now() < endAt && program.child.exitCode === null) {
    await sleep(LOOK_EVERY_MS);
    samples.push({
      at: Math.round((Date.now() - startedAt) / 1_000),
      values: new Map([...(await valuesOf(program.child.pid ?? 0, look)), [WRITTEN, written()]]),
    });
    if (samples.length % 30 === 0)
      process.stdout.write(`${reportOf(samples, ledger, { seed: SEED, warmUpPart: 0.5 }).text}\n`);
  }
  over.abort();
  await Promise.all(load);
  receiver.server.close();
  const { text, isFlat } = reportOf(samples, ledger, { seed: SEED, warmUpPart: WARM_UP_PART });
  const results = join(import.meta.dirname, "..", "..", ".cache", "soak");
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "report.md"), text);
  writeFileSync(
    join(results, "samples.json"),
    JSON.stringify(samples.map(({ at, values }) => ({ at, ...Object.fromEntries(values) }))),
  );
  process.stdout.write(`${text}\n`);
  if (!isFlat || program.child.exitCode !== null) process.exitCode = 1;

  /** Of the product's own count: every write that was answered. */
  function written(): number {
    let sum = 0;
    for (const [kind, answers] of ledger.answers) if (kind.startsWith("gRPC ")) sum += answers.get("OK") ?? 0;
    return sum + (ledger.counts.get("erasures") ?? 0);
  }

  /** A server with a disk of its own, whose folder its user can reach. */
  function newPostgres(): Promise<PostgresStore> {
    const folder = mkdtempSync(join(tmpdir(), "gh-soak-pg-"));
    closers.push(async () => rmSync(folder, { recursive: true, force: true }));
    return openPostgresStore((closer) => void closers.push(async () => closer()), folder);
  }
} finally {
  for (const closer of closers.toReversed()) await closer().catch(() => undefined);
  rmSync(directory, { recursive: true, force: true });
}
