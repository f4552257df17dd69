import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWith } from "../../support/optional-part.ts";
import { withScope } from "../../support/scope.ts";
import type { KillStoreKind } from "./kill-store.ts";
import { runKills } from "./run.ts";
import { STEPS } from "./steps.ts";

/** `make faults` sets them; otherwise each named step is reached once, and a few kills come at random. */
const KILLS = Number(process.env.GATEHOUSE_FAULTS_KILLS ?? STEPS.length + 2);
const SEED = process.env.GATEHOUSE_FAULTS_SEED ?? String(randomInt(2 ** 31));
const RESULTS = join(import.meta.dirname, "..", "..", "..", ".cache", "faults");
const MS_PER_KILL = 20_000;

/** A suite that kills the product's processes over one kind of store, and reckons. */
export function describeKills({ name, restarts, missing, open }: KillStoreKind): void {
  describeWith({ name: `kills ${name}`, missing: missing() }, `kill -9 at every step of an event ${name}`, () => {
    withScope((closeLater) => {
      it(
        "loses nothing: emitted × matching = delivered + exhausted + skipped + cancelled (F9–F15, I1–I4)",
        async () => {
          process.stderr.write(`Kills ${name}: seed ${SEED}\n`);
          const { incidents, kills, states, ...run } = await runKills(closeLater, open, { seed: SEED, kills: KILLS });
          mkdirSync(RESULTS, { recursive: true });
          const report = JSON.stringify({ seed: SEED, ...run, states, kills, incidents }, null, 2);
          writeFileSync(join(RESULTS, `${name.slice(3)}.json`), report);
          if (KILLS > STEPS.length + 2) process.stderr.write(`\n${report}\n`);
          expect({ seed: SEED, incidents }).toEqual({ seed: SEED, incidents: [] });
          const settled = Object.values(states).reduce((sum, count) => sum + count, 0);
          expect(settled).toBe(run.owed);
          expect(Object.keys(kills)).toEqual(expect.arrayContaining(STEPS.map((step) => step.name)));
          expect(Object.keys(kills).some((kill) => kill.startsWith("database restarted"))).toBe(restarts);
          expect(states.delivered).toBeGreaterThan(10);
        },
        KILLS * MS_PER_KILL + 180_000,
      );
    });
  });
}
