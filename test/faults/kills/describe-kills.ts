import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWith } from "../../support/optional-part.ts";
import { withScope } from "../../support/scope.ts";
import type { KillStoreKind } from "./kill-store.ts";
import { type KillRun, runKills } from "./run.ts";
import { STEPS } from "./steps.ts";

/** `make faults` sets them; otherwise each named step is reached once, and a few kills come at random. */
const KILLS = Number(process.env.GATEHOUSE_FAULTS_KILLS ?? STEPS.length + 2);
const SEED = process.env.GATEHOUSE_FAULTS_SEED ?? String(randomInt(2 ** 31));
const RESULTS = join(import.meta.dirname, "..", "..", "..", ".cache", "faults");
const MS_PER_KILL = 20_000;

/** How long a run may take, in milliseconds. */
export const RUN_MS = KILLS * MS_PER_KILL + 180_000;

/** A suite over one kind of store. What it is given kills the product's processes, and reckons. */
export function describeKills(
  { name, missing, open }: KillStoreKind,
  suite: (reckoned: () => Promise<KillRun>) => void,
): void {
  describeWith({ name: `kills ${name}`, missing: missing() }, `kill -9 at every step of an event ${name}`, () => {
    withScope((closeLater) =>
      suite(async () => {
        process.stderr.write(`Kills ${name}: seed ${SEED}\n`);
        const run = await runKills(closeLater, open, { seed: SEED, kills: KILLS });
        mkdirSync(RESULTS, { recursive: true });
        const report = JSON.stringify({ seed: SEED, ...run }, null, 2);
        writeFileSync(join(RESULTS, `${name.slice(3)}.json`), report);
        if (KILLS > STEPS.length + 2) process.stderr.write(`\n${report}\n`);
        return run;
      }),
    );
  });
}

/** Nothing was lost or doubled, and every step was reached. */
export function expectNothingLost({ incidents, kills, states, owed }: KillRun, { restarts }: KillStoreKind): void {
  expect({ seed: SEED, incidents }).toEqual({ seed: SEED, incidents: [] });
  const settled = Object.values(states).reduce((sum, count) => sum + count, 0);
  expect(settled).toBe(owed);
  expect(Object.keys(kills)).toEqual(expect.arrayContaining(STEPS.map((step) => step.name)));
  expect(Object.keys(kills).some((kill) => kill.startsWith("database restarted"))).toBe(restarts);
  expect(states.delivered).toBeGreaterThan(10);
}
