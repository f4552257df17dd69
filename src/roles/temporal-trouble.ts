import { setTimeout as sleep } from "node:timers/promises";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import { NOT_REACHED_YET } from "#runtime/temporal/not-reached.ts";

const LOOK_EVERY_MS = 100;
/** Longest wait for a host that does not answer. */
const LONGEST_LOOK_MS = 3_000;

/** What is wrong with the Temporal server, after the first check; `undefined` when it fits or none is configured. */
export async function temporalTrouble(checks: readonly HealthCheck[]): Promise<string | undefined> {
  const temporal = checks.find(({ name }) => name === "temporal");
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const trouble = await temporal?.check();
    if (trouble !== NOT_REACHED_YET || waitedMs >= LONGEST_LOOK_MS) return trouble;
    await sleep(LOOK_EVERY_MS);
  }
}
