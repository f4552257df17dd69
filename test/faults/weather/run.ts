import { setTimeout as sleep } from "node:timers/promises";
import type { Closer } from "../../support/scope.ts";
import { subscribe } from "../../support/subscription.ts";
import { type ReceiverAnswer, startWebhookReceiver } from "../../support/webhook-receiver.ts";
import { connectPeers, makeWorld, present } from "../../support/world.ts";
import { settleAndCompare } from "./afterwards.ts";
import { type Dice, dice } from "./dice.ts";
import { type Fault, processFaults, storeFaults } from "./faults.ts";
import { type Fleet, openFleet } from "./fleet.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { gatewayLoad, platformLoad, type Scene } from "./platform-load.ts";
import type { Shape } from "./shapes.ts";
import { REPEAT_SECONDS, refreshLoad, signInLoad } from "./sign-on-load.ts";

export interface WeatherOptions {
  readonly seed: string;
  /** Without: each fault once, and each for a moment. */
  readonly minutes?: number | undefined;
  /** How soon after a fault every process must be ready, in a long run; ten unless given, for a machine that does other work too. */
  readonly readySeconds?: number;
}

export interface Weather {
  readonly shape: string;
  readonly seed: string;
  readonly seconds: number;
  readonly ledger: Ledger;
  readonly faults: ReadonlyMap<string, number>;
  /** After each spell of faults, how long until every process was ready. */
  readonly readyMs: readonly number[];
}

/** Between two calms, during which every process must become ready. */
const SPELL_MS = 60_000;
/** Beside other suites on a small machine. */
const BRIEF_READY_MS_MAX = 60_000;
const PROGRESS_MS = 10_000;
/** Of those between two lines of progress. */
const INCIDENTS_SHOWN = 3;
const UNDER_WAY_MS_MAX = 20_000;
const WRITERS = 3;
const REFRESHERS = 2;

/** Runs the shape under load and faults, and compares afterwards. What was promised and not kept is in the ledger's incidents. */
export async function runWeather(
  closeLater: (closer: Closer) => void,
  shape: Shape,
  { seed, minutes, readySeconds = 10 }: WeatherOptions,
): Promise<Weather> {
  const chance = dice(`${seed} ${shape.name}`);
  const open = await shape.open(closeLater);
  const startedAt = Date.now();
  const ledger = openLedger(startedAt);
  let storeTroubleUntil = 0;
  const fleet = openFleet(closeLater, ledger, open.members, (time) => storeTroubleUntil >= time);
  await fleet.start();
  const readyMsMax = minutes === undefined ? BRIEF_READY_MS_MAX : readySeconds * 1_000;
  const peers = open.sockets.map((directory) => {
    const connected = connectPeers(directory, { patient: false });
    closeLater(() => connected.close());
    return connected;
  });
  const world = await makeWorld(present(peers[0]), { application: { refreshRepeatSeconds: REPEAT_SECONDS } });
  let calm = false;
  const receiver = await startWebhookReceiver({ answer: answers(chance.of("receiver"), () => calm) });
  // What was wrong with a POST is in the ledger; stopping would throw it once more.
  closeLater(() => receiver.stop().catch(() => undefined));
  await subscribe(present(peers[0]), world, receiver, {
    eventTypes: ["client.*", "user.created", "worker.*", "organization_location.*", "organization_unit_type.*"],
  });

  const over = new AbortController();
  const scene: Scene = { urls: open.urls, fleet, ledger, world, peers, signal: over.signal };
  const load = [
    ...Array.from({ length: WRITERS }, (_, index) =>
      platformLoad(scene, chance.of(`writer ${index}`), `weather${index}`),
    ),
    signInLoad(scene, chance.of("sign-ins")),
    ...Array.from({ length: REFRESHERS }, (_, index) =>
      refreshLoad(scene, chance.of(`refresher ${index}`), (family) => family % REFRESHERS === index),
    ),
    gatewayLoad(scene, chance.of("gateway")),
  ];
  await underWay(ledger);
  const faults = new Map<string, number>();
  const progress = minutes === undefined ? undefined : startProgress(shape.name, startedAt, ledger, faults);
  closeLater(async () => clearInterval(progress));

  const parts = { fleet, brief: minutes === undefined, ...open };
  const readyMs: number[] = [];
  const endAt = startedAt + (minutes ?? 0) * 60_000;
  const note = (fault: Fault) => void faults.set(fault.name, (faults.get(fault.name) ?? 0) + 1);
  do {
    const spellEnd = minutes === undefined ? undefined : Math.min(endAt, Date.now() + SPELL_MS);
    await Promise.all([
      spell(storeFaults(parts), chance.of(`store ${readyMs.length}`), spellEnd, async (fault, strike) => {
        storeTroubleUntil = Number.POSITIVE_INFINITY;
        await strike();
        storeTroubleUntil = Date.now();
        note(fault);
      }),
      spell(processFaults(parts), chance.of(`processes ${readyMs.length}`), spellEnd, async (fault, strike) => {
        await strike();
        note(fault);
      }),
    ]);
    await expectReady(fleet, ledger, readyMs, readyMsMax);
  } while (Date.now() < endAt);

  await underWay(ledger);
  over.abort();
  await Promise.all(load);
  calm = true;
  await settleAndCompare(scene, receiver.received);
  clearInterval(progress);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  await fleet.stop();
  for (const fault of await open.integrity()) ledger.incident(`the store is damaged: ${fault}`);
  return { shape: shape.name, seed, seconds, ledger, faults, readyMs };
}

/** Waits until some more writes and sign-ins were answered: faults strike a product at work, and find it at work again. */
async function underWay({ writes, families }: Ledger): Promise<void> {
  const acknowledged = () => writes.filter(({ id }) => id !== undefined).length;
  const aim = { writes: acknowledged() + 15, families: families.length + 2 };
  const until = Date.now() + UNDER_WAY_MS_MAX;
  while (Date.now() < until && (acknowledged() < aim.writes || families.length < aim.families)) await sleep(20);
}

/** Deals the faults out like cards, all before one comes again; ends with the deck in a brief run, with the time in a long one. */
async function spell(
  faults: readonly Fault[],
  chance: Dice,
  until: number | undefined,
  strikeOne: (fault: Fault, strike: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (faults.length === 0) return;
  do {
    for (const fault of chance.shuffled(faults)) {
      await sleep(until === undefined ? 200 : chance.between(1_000, 8_000));
      if (until !== undefined && Date.now() >= until) return;
      await strikeOne(fault, () => fault.strike(chance));
    }
  } while (until !== undefined);
}

async function expectReady(fleet: Fleet, ledger: Ledger, readyMs: number[], limitMs: number): Promise<void> {
  const took = await fleet.readyWithin(limitMs);
  if (took !== undefined) return void readyMs.push(took);
  ledger.incident(`not ready ${limitMs} ms after the last fault: ${await fleet.troubles()}`);
  readyMs.push(limitMs + ((await fleet.readyWithin(60_000)) ?? Number.POSITIVE_INFINITY));
}

/** A subscriber that is mostly well. */
const answers = (chance: Dice, calm: () => boolean) => (): ReceiverAnswer => {
  const draw = chance.below(100);
  if (calm() || draw < 84) return { status: 204 };
  if (draw < 89) return { status: 500 };
  if (draw < 92) return "reset";
  return draw < 95 ? "silence" : { status: 204, delayMs: 300 };
};

function startProgress(shape: string, startedAt: number, ledger: Ledger, faults: ReadonlyMap<string, number>) {
  let shown = 0;
  return setInterval(() => {
    for (const incident of ledger.incidents.slice(shown, shown + INCIDENTS_SHOWN))
      process.stderr.write(`incident at ${incident}\n`);
    shown = ledger.incidents.length;
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    const struck = [...faults.values()].reduce((sum, one) => sum + one, 0);
    const acknowledged = ledger.writes.filter(({ id }) => id !== undefined).length;
    process.stderr.write(
      `${shape}, ${seconds} s: ${struck} faults, ${acknowledged} of ${ledger.writes.length} writes acknowledged, ` +
        `${ledger.families.length} codes redeemed, ${ledger.counts.get("incidents") ?? 0} incidents\n`,
    );
  }, PROGRESS_MS);
}
