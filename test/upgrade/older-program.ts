import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SubscriptionsService } from "../../generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { checkOutOlder } from "../../harness/older-checkout.ts";
import type { PromiseClient } from "../../src/runtime/rpc/call.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { settleAndCompare } from "../faults/weather/afterwards.ts";
import { dice } from "../faults/weather/dice.ts";
import { UNDISTURBED } from "../faults/weather/fleet.ts";
import { openLedger } from "../faults/weather/ledger.ts";
import { gatewayLoad, platformLoad, type Scene } from "../faults/weather/platform-load.ts";
import { openPostgresStore } from "../faults/weather/postgres-store.ts";
import { REPEAT_SECONDS, refreshLoad, signInLoad } from "../faults/weather/sign-on-load.ts";
import { openFaultProxy } from "../support/fault-proxy.ts";
import { freePort } from "../support/free-port.ts";
import { TEST_MASTER_KEY, testFlags } from "../support/gatehouse.ts";
import { postgresMissing } from "../support/postgres-server.ts";
import { type Program, startProgram } from "../support/processes.ts";
import type { Closer } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { connectPeers, makeWorld, type Peers, present } from "../support/world.ts";

/*
 * An upgrade on PostgreSQL as it happens: the program of an earlier commit serves, this one starts beside it, migrates the store and serves
 * too. It is taken back: it ends, and the earlier one serves alone. Then it starts again, and the earlier one ends. People, integrations,
 * the platform and an operator go on all the while. Afterwards everything that was acknowledged is compared, as after the weather of
 * `test/faults/`. Usage: node test/upgrade/older-program.ts <commit> [seconds of each of the five parts]; exit code 1 when a request failed
 * or a promise was broken.
 */
const commit = process.argv[2] ?? "";
const partMs = Number(process.argv[3] ?? 20) * 1_000;
if (!(partMs >= 5_000)) stop("Give each part at least 5 seconds: make older-program FROM=<commit> SECONDS=20");
const lacking = postgresMissing();
if (lacking !== undefined) stop(`There is no PostgreSQL to run it on: ${lacking}.`);
if (commit === "") stop("Name the commit of the earlier program: make older-program FROM=<commit>");

const WRITERS = 3;
const REFRESHERS = 2;
/** Between the last request that a program is sent and its end, as a load balancer leaves it. */
const LEFT_MS = 3_000;
/** Between two writes of the operator. */
const WRITE_PAUSE_MS = 200;
/** Counted by the load as no incident: what the product owes while nothing is disturbed. */
const HIDDEN = /temporarily_unavailable|^deliveries (?!delivered)|^codes never redeemed/;
const FINE = /^(OK|[23]\d\d)$/;

const closers: Closer[] = [];
const closeLater = (closer: Closer) => void closers.push(closer);
const folder = (name: string): string => {
  const path = mkdtempSync(join(tmpdir(), `gh-${name}-`));
  closeLater(async () => rmSync(path, { recursive: true, force: true }));
  return path;
};

/** The `src/main.ts` of the commit. */
function checkOut(): string {
  try {
    const { directory, remove } = checkOutOlder(commit);
    closeLater(async () => remove());
    return join(directory, "src", "main.ts");
  } catch (error) {
    return stop((error as Error).message);
  }
}

/** A program that serves, with the peers of its sockets. */
interface Site {
  readonly url: string;
  readonly program: Program;
  readonly peers: Peers;
  readonly subscriptions: Subscriptions;
}

type Subscriptions = PromiseClient<typeof SubscriptionsService>;

/** Starts one on the store and waits until it is ready. */
async function startSite(shared: Readonly<Record<string, string>>, port: number, main?: string): Promise<Site> {
  const [directory, management] = [folder("site"), await freePort()];
  const flags = { ...testFlags(port, management, directory), ...shared };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const program = startProgram(["serve", ...words], management, main === undefined ? {} : { main });
  closeLater(async () => void (await program.end("SIGKILL")));
  await program.ready();
  const peers = connectPeers(join(directory, "sockets"), { patient: false });
  closeLater(() => peers.close());
  const operator = socketCarrier(join(directory, "sockets", "operator.sock"));
  closeLater(() => operator.close());
  const subscriptions = operator.connect(SubscriptionsService);
  return { url: `http://localhost:${port}`, program, peers, subscriptions };
}

const of = (description: string) => ({
  description,
  updateMask: ["description"],
  endpointUrl: "",
  eventTypes: [],
  tenantIds: [],
  extraHeaders: [],
  skipPing: false,
});

/** An operator: changes the subscription again and again, at each site in turn. */
async function operatorLoad(
  { ledger, signal }: Scene,
  sites: readonly Subscriptions[],
  subscriptionId: string,
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const description = `round ${round}`;
    try {
      const { subscription } = await present(sites[round % sites.length]).updateSubscription({
        subscriptionId,
        ...of(description),
      });
      ledger.answered("gRPC subscription", "OK");
      if (subscription?.description !== description)
        ledger.incident(`A subscription was given “${description}” and has “${subscription?.description}”.`);
    } catch (error) {
      ledger.answered("gRPC subscription", String(error));
    }
    await sleep(WRITE_PAUSE_MS);
  }
}

const close = async (): Promise<void> => {
  for (const closer of closers.splice(0).toReversed()) await Promise.resolve(closer()).catch(() => undefined);
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    await close();
    process.stderr.write(`Ended by ${signal}: nothing was compared, and nothing is left behind.\n`);
    process.exit(1);
  });

try {
  const main = checkOut();
  const store = await openPostgresStore(closeLater, folder("postgres"));
  // The server of the tests has a socket only.
  const { port } = await openFaultProxy(closeLater, { target: { path: store.socket } });
  const [oldPort, newPort] = [await freePort(), await freePort()];
  const shared = {
    "log-level": "warn",
    "drain-milliseconds": "2000",
    "webhook-attempt-delays": "300ms,600ms",
    issuer: `http://localhost:${oldPort}`,
    "store-url": `postgresql://${store.user}@127.0.0.1:${port}/${store.database}`,
    "master-keys": TEST_MASTER_KEY,
  };
  const older = await startSite(shared, oldPort, main);
  const world = await makeWorld(older.peers, { application: { refreshRepeatSeconds: REPEAT_SECONDS } });
  const receiver = await startWebhookReceiver();
  closeLater(() => receiver.stop().catch(() => undefined));
  const subscriptionId = await subscribe(older.peers, world, receiver);

  const ledger = openLedger();
  const chance = dice(commit);
  const over = new AbortController();
  // The lists change while the load goes on.
  const [urls, peers, subscriptions] = [[older.url], [older.peers], [older.subscriptions]];
  const scene: Scene = { urls, fleet: UNDISTURBED, ledger, world, peers, signal: over.signal };
  const load = Promise.all([
    ...Array.from({ length: WRITERS }, (_, index) => platformLoad(scene, chance.of(`writer ${index}`), `w${index}`)),
    signInLoad(scene, chance.of("sign-ins")),
    ...Array.from({ length: REFRESHERS }, (_, index) =>
      refreshLoad(scene, chance.of(`refresher ${index}`), (family) => family % REFRESHERS === index),
    ),
    gatewayLoad(scene, chance.of("gateway")),
    operatorLoad(scene, subscriptions, subscriptionId),
  ]);
  // One that fails ends the run at its next pause.
  const pause = (ms: number) => Promise.race([sleep(ms), load]);
  const migrations = async () => Number((await store.query("select count(*) from migration_ledger"))[0]?.count);
  const before = await migrations();
  await pause(partMs);
  const newer = await startSite(shared, newPort);
  const taken = (await migrations()) - before;
  urls.push(newer.url);
  peers.push(newer.peers);
  subscriptions.push(newer.subscriptions);
  await pause(partMs);
  // Back, as an operator would who finds a fault in it.
  urls.pop();
  peers.pop();
  subscriptions.pop();
  await pause(LEFT_MS);
  const takenBack = await newer.program.end();
  await pause(partMs);
  const again = await startSite(shared, newPort);
  urls.push(again.url);
  peers.push(again.peers);
  subscriptions.push(again.subscriptions);
  await pause(partMs);
  urls.shift();
  peers.shift();
  subscriptions.shift();
  await pause(LEFT_MS);
  const ended = await older.program.end();
  await pause(partMs);
  over.abort();
  await load;
  await settleAndCompare(scene, receiver.received);

  const rows = [...ledger.answers].flatMap(([kind, answers]) =>
    [...answers].map(([answer, count]) => ({ kind, answer, count })),
  );
  const failed = rows.filter(({ kind, answer }) => !FINE.test(answer) && !isReplay(kind, answer));
  const hidden = [...ledger.counts].filter(([what]) => HIDDEN.test(what));
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  const short = execFileSync("git", ["rev-parse", "--short", commit], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  }).trim();
  const said = [older, newer, again].map(({ program }) => program.output()).join("");
  const report = [
    `${short} → ${taken} migrations beside it; the program was taken back with ${takenBack}, the earlier one ended with ${ended}.`,
    `${all} requests; ${ledger.writes.length} writes; ${receiver.received.length} POSTs received.`,
    ...failed.map(({ kind, answer, count }) => `FAILED ${kind}: ${count} × ${answer}`),
    ...hidden.map(([what, count]) => `FAILED ${what}: ${count}`),
    ...ledger.incidents.map((incident) => `INCIDENT ${incident}`),
    ...[...ledger.counts].map(([what, count]) => `${what}: ${count}`),
    ...(taken > 0 ? [] : ["Nothing was migrated: name an earlier commit."]),
    ...(said === "" ? [] : [`The programs said:\n${said}`]),
  ];
  process.stdout.write(`${report.join("\n")}\n`);
  const isBroken = failed.length > 0 || hidden.length > 0 || ledger.incidents.length > 0;
  if (isBroken || taken === 0 || takenBack !== 0 || ended !== 0 || ledger.families.length === 0) process.exitCode = 1;
} finally {
  await close();
}

/** Codes that are used a second time, in the end, must be refused. */
function isReplay(kind: string, answer: string): boolean {
  return kind === "POST /auth/token" && answer === "400";
}

/** Ends before anything was started (EX_USAGE of sysexits.h). */
function stop(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(64);
}
