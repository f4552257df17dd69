import { DispatchService } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Loop } from "#runtime/basis/loop.ts";
import type { Metrics } from "#runtime/basis/metrics.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import type { TemporalLink } from "#runtime/temporal/link.ts";
import type { SearchAttributes } from "#runtime/temporal/server-check.ts";
import { attemptSender } from "./deliveries/attempt-sender.ts";
import { dispatchLoop } from "./deliveries/dispatch-loop.ts";
import { dispatchMetrics } from "./deliveries/dispatch-metrics.ts";
import { handOverLoop } from "./deliveries/hand-over-loop.ts";
import { lostRoundsLoop } from "./deliveries/lost-rounds-loop.ts";
import { type Resolve, systemResolve } from "./deliveries/name-resolver.ts";
import { outcomeReporter } from "./deliveries/outcome-reporter.ts";
import type { WebhooksSettings } from "./settings.ts";

/** How often what was handed over is compared with what Temporal has. */
const LOST_ROUNDS_MS = 30_000;

export interface WebhooksWorkerDeps {
  /** To the services role, as the peer `worker`. */
  readonly connect: Carrier["connect"];
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: WebhooksSettings;
  /** Of this program; requests carry the version that came with their signed headers. */
  readonly version: string;
  /** For tests: who answers for names, and whose certificates are trusted. */
  readonly outside?: { readonly resolve?: Resolve; readonly trusted?: string };
}

/** What a Temporal worker runs for webhooks. */
export interface WebhooksOnTemporal {
  readonly activities: object;
  readonly searchAttributes: SearchAttributes;
  /** Hand over what failed, and look for what was lost. */
  loops(link: TemporalLink, taskQueue: string): readonly Loop[];
}

export interface WebhooksWorker {
  readonly loops: readonly Loop[];
  /** Loads what speaks to Temporal; nothing else does. */
  onTemporal(): Promise<WebhooksOnTemporal>;
}

/** Everything of webhooks that speaks to the outside: the dispatcher, and retries by Temporal. It has no store and no secret. */
export function webhooksWorker(deps: WebhooksWorkerDeps): WebhooksWorker {
  const { settings, log, outside } = deps;
  const dispatch = deps.connect(DispatchService);
  const now = () => deps.clock.now().getTime();
  const newSender = () =>
    attemptSender({
      timeoutMs: settings["webhook-timeout-ms"],
      connectTimeoutMs: settings["webhook-connect-timeout-ms"],
      connections: settings["webhook-concurrency-per-endpoint"],
      allowHttp: settings["webhook-allow-http"],
      allowedNetworks: settings["webhook-allowed-networks"],
      resolve: outside?.resolve ?? systemResolve(),
      trusted: outside?.trusted,
    });
  const metrics = dispatchMetrics(deps.metrics);
  const loop = dispatchLoop({
    dispatch,
    sender: newSender(),
    reporter: outcomeReporter({ dispatch, now, log }),
    metrics,
    concurrency: settings["webhook-concurrency"],
    leaseMs: settings["webhook-lease-ms"],
    now,
  });
  log.info("The dispatcher sends webhooks.", { version: deps.version });
  return {
    loops: [loop],
    async onTemporal() {
      const { deliveryActivities } = await import("./deliveries/delivery-activities.ts");
      const { listRunningRounds, searchAttributes, startRound } = await import("./deliveries/temporal-retry-engine.ts");
      const leaseMs = settings["webhook-lease-ms"];
      return {
        searchAttributes,
        // Connections of its own: the dispatcher closes its own ones when it stops.
        activities: deliveryActivities({ dispatch, sender: newSender(), metrics, leaseMs, now }),
        loops: (link, taskQueue) => [
          handOverLoop({
            dispatch,
            log,
            async engine(signal) {
              const client = await link.client(signal);
              return client && startRound(client, taskQueue, settings["webhook-timeout-ms"]);
            },
          }),
          lostRoundsLoop({
            dispatch,
            log,
            intervalMs: LOST_ROUNDS_MS,
            async listDriven(signal) {
              const client = await link.client(signal);
              return client && listRunningRounds(client);
            },
          }),
        ],
      };
    },
  };
}
