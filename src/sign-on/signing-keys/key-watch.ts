import type { Clock } from "#runtime/basis/clock.ts";
import { HOUR_MS } from "#runtime/basis/durations.ts";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import { Counter, Gauge, type Metrics } from "#runtime/process/metrics.ts";
import { type KeySchedule, overdueMs } from "./key-schedule.ts";
import type { SigningAlgorithm } from "./signing-key-repository.ts";
import type { SigningKeys } from "./signing-keys.ts";

interface KeyWatchDeps {
  readonly keys: SigningKeys;
  readonly schedule: KeySchedule;
  readonly algorithms: readonly SigningAlgorithm[];
  readonly clock: Clock;
  readonly metrics: Metrics;
}

interface KeyWatch {
  readonly checks: readonly HealthCheck[];
  /** Counts a pass of the rotation that failed. */
  failed(): void;
}

/** A rotation that is later than this is reported. The loop checks each minute, and is restarted when it fails. */
const LATE_MS = 3_600_000;

/** What operators see of the signing keys: their age, whether they can sign, whether rotation goes on. */
export function watchKeys({ keys, schedule, algorithms, clock, metrics }: KeyWatchDeps): KeyWatch {
  const late = async (): Promise<readonly (readonly [SigningAlgorithm, number])[]> => {
    const usable = await keys.usable();
    return algorithms.map((algorithm) => [algorithm, overdueMs(usable, algorithm, schedule, clock.now())] as const);
  };
  new Gauge({
    name: "gatehouse_signing_key_age_seconds",
    help: "How long the active signing key has been signing, by algorithm.",
    labelNames: ["algorithm"],
    registers: [metrics],
    async collect() {
      this.reset();
      for (const { algorithm, state, activatedAt, createdAt } of await keys.usable().catch(() => []))
        if (state === "active")
          this.set({ algorithm }, (clock.now().getTime() - (activatedAt ?? createdAt).getTime()) / 1_000);
    },
  });
  new Gauge({
    name: "gatehouse_signing_key_rotation_overdue_seconds",
    help: "By how much the replacement of the active signing key is late, by algorithm; 0 when it is not.",
    labelNames: ["algorithm"],
    registers: [metrics],
    async collect() {
      this.reset();
      for (const [algorithm, ms] of await late().catch(() => [])) this.set({ algorithm }, ms / 1_000);
    },
  });
  const failures = new Counter({
    name: "gatehouse_signing_key_rotation_failures_total",
    help: "Passes of key rotation that failed, unless the store was away.",
    registers: [metrics],
  });
  return {
    failed: () => failures.inc(),
    checks: [
      {
        name: "signing keys",
        async check() {
          for (const algorithm of algorithms) await keys.signer(algorithm);
          return undefined;
        },
      },
      {
        name: "signing key rotation",
        degrades: true,
        async check() {
          const [first] = (await late()).filter(([, ms]) => ms > LATE_MS);
          if (first === undefined) return undefined;
          return `The ${first[0]} signing key should have been replaced ${Math.floor(first[1] / HOUR_MS)} hours ago.`;
        },
      },
    ],
  };
}
