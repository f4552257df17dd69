import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Log } from "#runtime/process/log.ts";
import { pause } from "#runtime/process/loop.ts";
import { Counter, type Metrics } from "#runtime/process/metrics.ts";
import { TROUBLES, type Trouble } from "./own-trouble.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Of an endpoint whose name waited for other names: only its own delivery waits. */
const TURN_PAUSE_MS = 10_000;
/** A trouble that was not met for so long counts as ended. */
const FORGOTTEN_MS = 3 * LONGEST_PAUSE_MS;

/** Troubles that keep every request from leaving. `turn` is not one: names of one integration must not stop others' deliveries. */
type Lasting = Exclude<Trouble, "turn">;

const SENTENCES: Readonly<Record<Lasting, string>> = {
  descriptors: "webhooks wait: no file descriptor is left; raise the limit of open files",
  memory: "webhooks wait: the system has no memory left for connections",
  ports: "webhooks wait: no local port is left for connections",
  network: "webhooks wait: this machine has no route to any network",
  resolver: "webhooks wait: the DNS resolver does not answer",
};

/** The worker's own troubles: how long deliveries wait for their end, and what operators see of them. */
export interface TroubleWatch {
  /** An attempt could not leave; milliseconds until it should be tried again. */
  happened(trouble: Trouble): number;
  /** A connection was opened; to a name, when one was looked up for it. */
  connected(options: { readonly byName: boolean }): void;
  /** True from a trouble to its end. */
  isTroubled(): boolean;
  /** Returns when something may be tried; at once without a trouble, or when the signal is aborted. */
  calm(signal: AbortSignal): Promise<void>;
  readonly check: HealthCheck;
}

interface TroubleWatchDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

/** The pause doubles from one second to thirty while the trouble lasts, once for all attempts that fail within it. */
export function troubleWatch({ log, metrics, now }: TroubleWatchDeps): TroubleWatch {
  const unsent = new Counter({
    name: "gatehouse_webhook_unsent_total",
    help: "Attempts that never left for a trouble of the worker's own; not counted as attempts.",
    labelNames: ["trouble"],
    registers: [metrics],
  });
  for (const trouble of TROUBLES) unsent.inc({ trouble }, 0);
  /** When each was last met. */
  const current = new Map<Lasting, number>();
  let pauseMs = 0;
  let resumeAt = 0;

  const forget = (trouble: Lasting): void => {
    if (!current.delete(trouble)) return;
    log.info("A trouble of the worker's own is over.", { detail: trouble });
    if (current.size === 0) {
      pauseMs = 0;
      resumeAt = 0;
    }
  };
  const forgetOld = (): void => {
    for (const [trouble, at] of current) if (now() - at > FORGOTTEN_MS) forget(trouble);
  };

  return {
    happened(trouble) {
      unsent.inc({ trouble });
      if (trouble === "turn") return TURN_PAUSE_MS;
      if (!current.has(trouble))
        log.error("Webhooks cannot be sent for a trouble of our own.", { detail: SENTENCES[trouble] });
      current.set(trouble, now());
      if (now() >= resumeAt) {
        pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2));
        resumeAt = now() + pauseMs;
      }
      return Math.ceil(resumeAt - now());
    },
    connected({ byName }) {
      for (const trouble of current.keys()) if (byName || trouble !== "resolver") forget(trouble);
    },
    isTroubled() {
      forgetOld();
      return current.size > 0;
    },
    async calm(signal) {
      const restMs = resumeAt - now();
      if (restMs > 0) await pause(restMs, signal);
    },
    check: {
      name: "sending",
      degrades: true,
      async check() {
        forgetOld();
        const sentences = [...current.keys()].map((trouble) => SENTENCES[trouble]);
        return sentences.length === 0 ? undefined : sentences.join("; ");
      },
    },
  };
}
