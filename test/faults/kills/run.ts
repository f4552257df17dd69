import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newStoreFolder } from "../../support/memory.ts";
import { openProcesses, type ProcessGatehouse } from "../../support/processes.ts";
import type { Closer } from "../../support/scope.ts";
import { makeWorld, present, type World } from "../../support/world.ts";
import { type Dice, dice } from "../weather/dice.ts";
import { openAudience } from "./audience.ts";
import { KEEP_EMITTED } from "./emitted.ts";
import type { KillStore } from "./kill-store.ts";
import { type Reckoning, reckon } from "./reckoning.ts";
import { STEPS, type Step } from "./steps.ts";

export interface KillRun extends Reckoning {
  /** How often each kind of kill and restart happened. */
  readonly kills: Readonly<Record<string, number>>;
}

/** A schedule that is over within seconds. */
const QUICK = {
  "webhook-attempt-delays": "200ms,200ms",
  "webhook-timeout-ms": "1000",
  "webhook-connect-timeout-ms": "500",
  "webhook-lease-ms": "4000",
};
const END_AT = join(import.meta.dirname, "end-at.mjs");
const WRITERS = 3;
/** A step that is not reached by then is replaced by a kill at that moment. */
const STEP_MS = 60_000;
/** Nothing settles for so long: what is left never will. */
const STUCK_MS = 60_000;
/** Between two tenants of one writer: slower than deliveries are, on a slow machine too. */
const PAUSE_MS = 100;

/**
 * Kills processes with SIGKILL, first at each named step, and restarts them; restarts the database, if it is a process of
 * its own; then does either at steps and moments of the dice. Meanwhile tenants are created and receivers break. Then lets
 * everything settle and reckons.
 */
export async function runKills(
  closeLater: (closer: Closer) => void,
  open: (closeLater: (closer: Closer) => void, dataDirectory: string) => Promise<KillStore>,
  { seed, kills }: { readonly seed: string; readonly kills: number },
): Promise<KillRun> {
  const all = dice(seed);
  const dataDirectory = await newStoreFolder("gh-kills-");
  const store = await open(closeLater, dataDirectory);
  const flags = { ...QUICK, ...store.flags };
  const gatehouse = await openProcesses(closeLater, { separate: true, flags, dataDirectory });
  const world = await makeWorld(gatehouse);
  for (const statement of KEEP_EMITTED[store.dialect]) await store.query(statement);
  const audience = await openAudience(closeLater, gatehouse, world, all.of("receivers"));
  const counts: Record<string, number> = {};
  const acknowledged = new Set<string>();
  const writing = new AbortController();
  const writers = Array.from({ length: WRITERS }, () => write(gatehouse, world, acknowledged, writing.signal));

  let down: Step["role"] | undefined;
  for (let kill = 0; kill < kills; kill++) {
    const [step, choices] = [STEPS[kill], all.of(String(kill))];
    const flips = choices.chance(0.3);
    // Where it is the next one to end, the process that recovers from this end is the one that ends at the next step.
    if (down !== undefined && (flips || down !== step?.role)) await gatehouse.restart(down);
    if (flips) await audience.flip(choices.chance(0.5)).catch(() => undefined);
    const struck = await strike(gatehouse, store, choices, step, kill === STEPS.length);
    down = struck.down;
    counts[struck.name] = (counts[struck.name] ?? 0) + 1;
  }
  if (down !== undefined) await gatehouse.restart(down);

  writing.abort();
  await Promise.all(writers);
  await settle(store);
  return { ...(await reckon(store, audience, acknowledged)), kills: counts };
}

/** Waits until nothing is pending, or nothing has changed for a minute. */
async function settle(store: KillStore): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  for (let changedAt = Date.now(); left > 0 && Date.now() - changedAt < STUCK_MS; ) {
    const [row] = await store.query(
      "select (select count(*) from webhooks_queue) + (select count(*) from outbox_entries) as pending",
    );
    const pending = Number(row?.pending);
    if (pending !== left) changedAt = Date.now();
    left = pending;
    if (left > 0) await sleep(100);
  }
}

interface Strike {
  readonly name: string;
  /** The role whose process was killed and is not started again yet. */
  readonly down?: Step["role"];
}

/** One kill or restart, and what it was. `named`: the step to use; otherwise the dice choose, or it is the database's turn. */
async function strike(
  gatehouse: ProcessGatehouse,
  store: KillStore,
  choices: Dice,
  named: Step | undefined,
  isDatabaseNext: boolean,
): Promise<Strike> {
  if (named === undefined && store.restart !== undefined && (isDatabaseNext || choices.chance(0.1))) {
    const mode = choices.pick(["fast", "immediate"] as const);
    await store.restart(mode);
    return { name: `database restarted, ${mode}` };
  }
  if (named === undefined && choices.chance(0.4)) {
    const role = choices.pick(["services", "worker", "edge"] as const);
    await sleep(choices.below(400));
    await gatehouse.programs[role]?.end("SIGKILL");
    await gatehouse.restart(role);
    return { name: `${role}: at a random moment` };
  }
  const { name, role, ...end } = named ?? choices.pick(STEPS);
  const armed = { ...end, nth: choices.between(1, named === undefined ? 20 : 3) };
  await gatehouse.programs[role]?.end("SIGKILL");
  // A process that reaches its step while it starts is not ready before it ends.
  await gatehouse
    .restart(role, { nodeFlags: ["--import", END_AT], environment: { END_AT: JSON.stringify(armed) } })
    .catch(() => undefined);
  const reached = await endsWithin(gatehouse, role);
  await gatehouse.programs[role]?.end("SIGKILL");
  return { name: reached ? name : `${role}: at a random moment`, down: role };
}

async function endsWithin({ programs }: ProcessGatehouse, role: Step["role"]): Promise<boolean> {
  const child = present(programs[role]).child;
  const until = Date.now() + STEP_MS;
  while (Date.now() < until && child.signalCode === null && child.exitCode === null) await sleep(10);
  return child.signalCode === "SIGKILL";
}

/** Creates tenants one after the other. A call that a kill cut off may or may not be committed: only answers are promises. */
async function write(
  { platform }: ProcessGatehouse,
  { instanceId }: World,
  acknowledged: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const made = await platform
      .createTenant({ requestId: "", instanceId, name: "Under fire", address: null })
      .catch(() => undefined);
    if (made !== undefined) acknowledged.add(present(made.tenant).id);
    await sleep(PAUSE_MS);
  }
}
