import type { Clock } from "#runtime/basis/clock.ts";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Log } from "#runtime/process/log.ts";
import { type Loop, pause, withoutDeadline } from "#runtime/process/loop.ts";
import { Gauge, type Metrics } from "#runtime/process/metrics.ts";
import type { HandOverRepository } from "./hand-over-repository.ts";

/** Longer than a worker waits for one answer, and than it takes to hand over what was in it. */
const QUIET_MS = 60_000;
const LOOK_EVERY_MS = 10_000;

/**
 * Notices that no worker fetches what waits for the retry engine: the worker has no such setting, or cannot reach the
 * engine.
 */
export interface HandOverWatch {
  /** A worker has asked for hand-overs. */
  asked(): void;
  /** Makes the services role degraded (R-X74). */
  readonly check: HealthCheck;
  /** Says it in the log, once. */
  readonly loop: Loop;
}

export function handOverWatch({
  handOvers,
  clock,
  log,
}: {
  readonly handOvers: Pick<HandOverRepository, "findNextOffer">;
  readonly clock: Clock;
  readonly log: Log;
}): HandOverWatch {
  let askedAt = clock.now().getTime();

  async function trouble(): Promise<string | undefined> {
    const now = clock.now().getTime();
    const quietMs = now - askedAt;
    if (quietMs <= QUIET_MS) return undefined;
    const dueAt = await handOvers.findNextOffer();
    // Another services process may be the one that is asked: what is fetched there is not due here for long.
    if (dueAt === undefined || now - dueAt.getTime() <= QUIET_MS) return undefined;
    const seconds = Math.floor(quietMs / 1_000);
    return `No worker has asked for retries for ${seconds} s, and some are due. Is temporal-address set for the worker too, and is the worker well?`;
  }

  return {
    asked() {
      askedAt = clock.now().getTime();
    },
    check: { name: "hand-overs", degrades: true, check: trouble },
    loop: {
      name: "webhook-hand-over-watch",
      async run(signal, pass = withoutDeadline(signal)) {
        let isLogged = false;
        while (!signal.aborted) {
          const detail = await pass(trouble);
          if (detail !== undefined && !isLogged) log.warn("Webhook retries wait: no worker fetches them.", { detail });
          isLogged = detail !== undefined;
          await pause(LOOK_EVERY_MS, signal);
        }
      },
    },
  };
}

/** How far the worker is behind with handing over. */
export function measureHandOvers(
  metrics: Metrics,
  handOvers: Pick<HandOverRepository, "findNextOffer">,
  now: () => Date,
): void {
  new Gauge({
    name: "gatehouse_webhook_hand_over_overdue_seconds",
    help: "For how long the delivery that waits longest for the retry engine has waited to be handed over; 0 when none does.",
    registers: [metrics],
    async collect() {
      const dueAt = await handOvers.findNextOffer();
      this.set(dueAt === undefined ? 0 : Math.max(0, (now().getTime() - dueAt.getTime()) / 1000));
    },
  });
}
