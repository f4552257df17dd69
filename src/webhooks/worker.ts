import { performance } from "node:perf_hooks";
import { DispatchService } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Loop } from "#runtime/process/loop.ts";
import type { Metrics } from "#runtime/process/metrics.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import type { OwnListeners } from "./endpoints/own-listeners.ts";
import { attemptSender } from "./sending/attempt-sender.ts";
import { claimReturner } from "./sending/claim-returner.ts";
import { dispatchLoop } from "./sending/dispatch-loop.ts";
import { dispatchMetrics } from "./sending/dispatch-metrics.ts";
import { type Resolve, resolverAnswers, systemResolve } from "./sending/name-resolver.ts";
import { outcomeReporter } from "./sending/outcome-reporter.ts";
import { troubleWatch } from "./sending/trouble-watch.ts";
import { LAST_REPORTS_MS, type WebhooksSettings } from "./settings.ts";

interface WebhooksWorkerDeps {
  /** To the services role, as the peer `worker`. */
  readonly connect: Carrier["connect"];
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: WebhooksSettings;
  /** Of this program; requests carry the version that came with their signed headers. */
  readonly version: string;
  /** Where this installation listens itself; nothing is posted there. */
  readonly own?: OwnListeners;
  /** For tests: what resolves names, resolvers to ask instead of the machine's, and certificates to trust. */
  readonly outside?: { readonly resolve?: Resolve; readonly resolvers?: readonly string[]; readonly trusted?: string };
}

/**
 * Everything of webhooks that speaks to the outside: the dispatcher, and retries by Temporal. It has no store and no
 * secret.
 */
export function webhooksWorker(deps: WebhooksWorkerDeps) {
  const { settings, log, outside } = deps;
  const dispatch = deps.connect(DispatchService);
  // A clock that is never set: it measures leases and pauses, and no instant of it leaves the process.
  const now = () => performance.now();
  const troubles = troubleWatch({ log, metrics: deps.metrics, now });
  const claims = claimReturner({ dispatch, random: deps.random, leaseMs: settings["webhook-lease-ms"], now });
  const newAttemptSender = () =>
    attemptSender({
      timeoutMs: settings["webhook-timeout-ms"],
      connectTimeoutMs: settings["webhook-connect-timeout-ms"],
      connections: settings["webhook-concurrency-per-endpoint"],
      allowHttp: settings["webhook-allow-http"],
      allowedNetworks: settings["webhook-allowed-networks"],
      allowedPorts: settings["webhook-endpoint-ports"],
      own: deps.own,
      resolve: outside?.resolve ?? systemResolve(outside?.resolvers),
      resolverAnswers: resolverAnswers(outside?.resolvers),
      connected: troubles.connected,
      trusted: outside?.trusted,
    });
  const metrics = dispatchMetrics(deps.metrics);
  const loop = dispatchLoop({
    dispatch,
    attemptSender: newAttemptSender(),
    reporter: outcomeReporter({ dispatch, now, log }),
    claims,
    troubles,
    metrics,
    concurrency: settings["webhook-concurrency"],
    leaseMs: settings["webhook-lease-ms"],
    now,
  });
  log.info("The dispatcher sends webhooks.", { version: deps.version });
  const loops: readonly Loop[] = [loop];
  return {
    loops,
    /** How long a stop of the loops may take: attempts that are under way, and their reports. */
    stopMs: settings["webhook-timeout-ms"] + LAST_REPORTS_MS,
    checks: [troubles.check] as readonly HealthCheck[],
    /** Retries as workflows of a Temporal server. Loads what speaks to it; nothing else does. */
    async onTemporal({ activitySlots }: { readonly activitySlots: number }) {
      const { webhookWorkflows } = await import("./temporal/webhook-workflow-starts.ts");
      return webhookWorkflows({
        dispatch,
        // Connections of its own: the dispatcher closes its own ones when it stops.
        attemptSender: newAttemptSender(),
        claims,
        troubles,
        metrics,
        leaseMs: settings["webhook-lease-ms"],
        activitySlots,
        timeoutMs: settings["webhook-timeout-ms"],
        compareMs: settings["webhook-retry-compare-ms"],
        now,
        log,
      });
    },
  };
}

export type WebhooksWorker = ReturnType<typeof webhooksWorker>;
