import { performance } from "node:perf_hooks";
import { isDeepStrictEqual } from "node:util";
import { DefaultLogger, Runtime, Worker, type WorkerTuner, type WorkflowBundleOption } from "@temporalio/worker";
import { MINUTE_MS } from "../basis/durations.ts";
import type { HealthCheck } from "../process/lifecycle.ts";
import type { Log } from "../process/log.ts";
import { type Loop, type Pass, pause, withoutDeadline } from "../process/loop.ts";
import { Gauge, type Metrics } from "../process/metrics.ts";
import type { RenewedCredentials } from "./credentials.ts";
import { connectTo, createLink, IDENTITY, type TemporalAddress, type TemporalLink } from "./link.ts";
import { NOT_REACHED_YET } from "./not-reached.ts";
import { sdkLines } from "./sdk-lines.ts";
import { assertServer, type SearchAttributes } from "./server-check.ts";
import { type ServerTrouble, troubleOf } from "./server-trouble.ts";
import { workflowStarts } from "./workflow-starts.ts";

export const TASK_QUEUE = "gatehouse";

const WATCH_MS = 5_000;
const START_MS = 3 * MINUTE_MS;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** What a worker that is shut down has to end its calls, once no activity runs here. */
const LAST_CALLS_MS = 2_000;
const LAST_LOOK_MS = 100;
/** Workflows kept in memory between their tasks; others are replayed when they continue. */
const CACHED_WORKFLOWS_MAX = 500;
/** Polls at once of each of a worker's two queues: of new workflows, and of those that it has in memory. */
const WORKFLOW_POLLS = { type: "autoscaling", initial: 2, maximum: 4 } as const;
/**
 * A workflow task only computes, so a few make progress; more of them begin while the processors have room. A poll has a
 * slot too, for a minute where nothing comes, and each queue may have one slot more for its next poll: with fewer slots than
 * this one queue's polls could have all of them, and the other's workflows would wait for minutes (decision 0078).
 */
const WORKFLOW_SLOTS = {
  minimumSlots: WORKFLOW_POLLS.maximum + 2,
  maximumSlots: 40,
  rampThrottle: "10ms",
} as const;
/**
 * Of the machine's processors, or of the container's limit where it has one. Memory counts above 95 % alone: a slot needs
 * a twentieth of it free. Further workflow tasks wait at the server.
 */
const ROOM_FOR_WORKFLOWS = { targetCpuUsage: 0.6, targetMemoryUsage: 1 };
/** We have no local activities and no Nexus operations. */
const UNUSED_SLOTS = { type: "fixed-size", numSlots: 1 } as const;

interface TemporalWorkerOptions extends TemporalAddress {
  readonly credentials: RenewedCredentials;
  readonly bundle: () => Promise<WorkflowBundleOption>;
  /** Of what writes failures of activities into histories; the bundle has it for those of workflows. */
  readonly failureConverterPath: string;
  readonly activities: object;
  readonly searchAttributes: SearchAttributes;
  /** Concurrent activities; further ones wait at the server. */
  readonly activitySlots: number;
  /** How long a running activity may continue after the worker was asked to stop. */
  readonly graceMs: number;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Slower in tests. */
  readonly create?: typeof Worker.create;
}

interface TemporalWorker {
  readonly loop: Loop;
  readonly link: TemporalLink;
  /** Reports what is wrong. Without Temporal a process is degraded, not unready. */
  readonly check: HealthCheck;
}

/**
 * Keeps a worker connected to a Temporal server for as long as the loop runs: waits for an unreachable server, logs
 * once what is wrong with an unsuitable one, and continues by itself when that is fixed.
 */
export function temporalWorker(options: TemporalWorkerOptions): TemporalWorker {
  const { log, address, credentials } = options;
  const starts = workflowStarts({ address, log, now: () => performance.now() });
  const link = createLink(starts.of);
  const trouble = () => link.trouble() ?? starts.trouble();
  new Gauge({
    name: "gatehouse_temporal_reachable",
    help: "1 while the Temporal server answers, fits and starts workflows, otherwise 0.",
    registers: [options.metrics],
    collect() {
      this.set(trouble() === undefined ? 1 : 0);
    },
  });

  const report = ({ sentence, ...cause }: ServerTrouble) => {
    if (link.trouble() !== sentence) {
      log.warn("Temporal cannot be used: retries of webhooks wait in the store until it can.", {
        detail: sentence,
        ...cause,
      });
    }
    link.closed(sentence);
  };

  async function work(signal: AbortSignal, pass: Pass): Promise<void> {
    const shown = credentials.latest();
    const opened = await pass((until) => connectedUnlessAborted(connectTo(options, shown), until));
    if (opened === undefined) return;
    const { connection, client } = opened;
    const assertFit = () => assertServer(connection, options, options.searchAttributes);
    /** From when it is made until it runs here. */
    let creating: Promise<Worker> | undefined;
    /** Of a worker that was shut down beside a silent server. */
    let left: Promise<void> | undefined;
    try {
      await pass((until) => unlessAborted(assertFit(), until));
      if (signal.aborted) return;
      const worker = await pass((until) => {
        creating = options.bundle().then((bundle) => createWorker(options, bundle, connection));
        return unlessAborted(creating, until);
      });
      if (worker === undefined) return;
      creating = undefined;
      const running = worker.run();
      const isOver = new AbortController();
      const over = running.finally(() => isOver.abort());
      // Awaited below; until then its failure must not be reported as unhandled.
      over.catch(() => undefined);
      const until = AbortSignal.any([signal, isOver.signal]);
      while (!until.aborted && isDeepStrictEqual(credentials.latest(), shown)) {
        try {
          // The whole check, since attributes and the namespace can be removed under a worker that runs. A server that is
          // silent does not delay the end.
          await unlessAborted(assertFit(), until);
          if (until.aborted) break;
          if (link.trouble() !== undefined) log.info("Temporal is reached.", { address });
          link.opened(client);
        } catch (error) {
          report(troubleOf(error, address));
        }
        await pause(WATCH_MS, until);
      }
      if (!until.aborted) {
        log.info("Temporal's credentials have changed: connecting with the new ones.", { address });
        link.closed(NOT_REACHED_YET);
      }
      if (worker.getState() === "RUNNING") worker.shutdown();
      if (await isOverInTime(worker, isOver.signal)) await over;
      else left = over;
    } finally {
      // A worker that does not end, or that comes when it is no longer wanted, has the connection until it is shut down, and
      // only one that runs can be.
      const last = left ?? creating?.then((worker) => worker.runUntil(async () => undefined));
      if (last === undefined) await connection.close();
      else
        void last
          .catch(() => undefined)
          .then(() => connection.close())
          .catch((error: unknown) => log.warn("The connection to Temporal was not closed.", { error }));
    }
  }

  return {
    link,
    check: { name: "temporal", degrades: true, check: async () => trouble() ?? credentials.trouble() },
    loop: {
      name: "temporal-worker",
      // The bundle is made once, which may take a while.
      passMs: START_MS,
      async run(signal, pass = withoutDeadline(signal)) {
        installRuntime(log);
        let pauseMs = FIRST_PAUSE_MS;
        while (!signal.aborted) {
          const startedAt = performance.now();
          await work(signal, pass).catch((error: unknown) => report(troubleOf(error, address)));
          if (performance.now() - startedAt > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
          await pause(pauseMs, signal);
          pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        }
      },
    },
  };
}

/** The connection, or `undefined` when the signal is aborted first: connecting to a host that is silent takes long. */
async function connectedUnlessAborted(connecting: ReturnType<typeof connectTo>, signal: AbortSignal) {
  const opened = await unlessAborted(connecting, signal);
  if (opened === undefined) connecting.then(({ connection }) => connection.close()).catch(() => undefined);
  return opened;
}

/**
 * Waits for the end of a worker that was shut down; false when it does not come though no activity runs here. A silent server
 * never answers the calls that wait for its tasks, and the SDK waits for them: nothing would be gained by waiting too.
 */
async function isOverInTime(worker: Worker, over: AbortSignal): Promise<boolean> {
  let idleAt = performance.now();
  while (!over.aborted) {
    const now = performance.now();
    // One that failed waits for no activity any more.
    if (worker.getState() !== "FAILED" && worker.getStatus().numInFlightActivities > 0) idleAt = now;
    if (now - idleAt >= LAST_CALLS_MS) return false;
    await pause(LAST_LOOK_MS, over);
  }
  return true;
}

/** What the work comes to, or `undefined` when the signal is aborted first. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  // What it comes to after that is nobody's, and is not reported as unhandled.
  work.catch(() => undefined);
  const aborted = Promise.withResolvers<undefined>();
  const abort = () => aborted.resolve(undefined);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * A retry takes three workflow tasks, which cost the server more of a processor than the product. Where a server shares
 * the machine, thousands that are due at once would delay everything else (decision 0078). Activities wait for endpoints,
 * so their slots do not depend on the processors.
 */
const slotsOf = ({ activitySlots }: Pick<TemporalWorkerOptions, "activitySlots">): WorkerTuner => ({
  workflowTaskSlotSupplier: { type: "resource-based", tunerOptions: ROOM_FOR_WORKFLOWS, ...WORKFLOW_SLOTS },
  activityTaskSlotSupplier: { type: "fixed-size", numSlots: activitySlots },
  localActivityTaskSlotSupplier: UNUSED_SLOTS,
  nexusTaskSlotSupplier: UNUSED_SLOTS,
});

const createWorker = (
  options: TemporalWorkerOptions,
  workflowBundle: WorkflowBundleOption,
  connection: Awaited<ReturnType<typeof connectTo>>["connection"],
): Promise<Worker> =>
  (options.create ?? ((given) => Worker.create(given)))({
    connection,
    namespace: options.namespace,
    taskQueue: TASK_QUEUE,
    identity: IDENTITY,
    workflowBundle,
    dataConverter: { failureConverterPath: options.failureConverterPath },
    // A run that breaks does not try its step for ever, unseen: what it was for is started again (R-X450).
    workflowFailureErrorTypes: { "*": ["Error"] },
    activities: options.activities,
    maxCachedWorkflows: CACHED_WORKFLOWS_MAX,
    tuner: slotsOf(options),
    workflowTaskPollerBehavior: WORKFLOW_POLLS,
    activityTaskPollerBehavior: { type: "autoscaling", maximum: 10 },
    // Other workers wait this long before they take over the workflows of a dead worker.
    stickyQueueScheduleToStartTimeout: "2s",
    shutdownGraceTime: options.graceMs,
    shutdownForceTime: options.graceMs + 1_000,
  });

/** The SDK's engine exists once per process, and so does its log. It must not handle the process's signals. */
let isInstalled = false;

function installRuntime(log: Log): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: "ERROR", other: "ERROR" }, forward: {} } },
    logger: new DefaultLogger("WARN", sdkLines(log)),
  });
}
