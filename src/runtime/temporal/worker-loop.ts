import { performance } from "node:perf_hooks";
import { DefaultLogger, Runtime, Worker, type WorkflowBundleOption } from "@temporalio/worker";
import type { HealthCheck } from "../basis/lifecycle.ts";
import type { Log } from "../basis/log.ts";
import { type Loop, pause, type Round, withoutDeadline } from "../basis/loop.ts";
import { Gauge, type Metrics } from "../basis/metrics.ts";
import { connectTo, createLink, IDENTITY, type TemporalAddress, type TemporalLink } from "./link.ts";
import { assertServer, type SearchAttributes } from "./server-check.ts";
import { type ServerTrouble, troubleOf } from "./server-trouble.ts";

export const TASK_QUEUE = "gatehouse";

const WATCH_MS = 5_000;
const PING_MS = 2_000;
const START_MS = 3 * 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** Workflows kept in memory between their tasks; any other is replayed when it goes on. */
const CACHED_WORKFLOWS_MAX = 500;

export interface TemporalWorkerOptions extends TemporalAddress {
  readonly bundle: () => Promise<WorkflowBundleOption>;
  readonly activities: object;
  readonly searchAttributes: SearchAttributes;
  /** Activities at once; further ones wait at the server. */
  readonly activitySlots: number;
  /** How long an activity that is under way may go on after the worker was told to stop. */
  readonly graceMs: number;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface TemporalWorker {
  readonly loop: Loop;
  readonly link: TemporalLink;
  /** Tells what is wrong. Being without Temporal makes a process degraded, not unready. */
  readonly check: HealthCheck;
}

/**
 * Keeps a worker connected to a Temporal server for as long as the loop runs: waits for a server that is not there, says once what is wrong
 * with one that does not fit, and goes on by itself when it is mended.
 */
export function temporalWorker(options: TemporalWorkerOptions): TemporalWorker {
  const { log, address } = options;
  const link = createLink();
  const reachable = new Gauge({
    name: "gatehouse_temporal_reachable",
    help: "1 while the Temporal server answers and fits, otherwise 0.",
    registers: [options.metrics],
  });

  const tell = ({ sentence, ...cause }: ServerTrouble) => {
    reachable.set(0);
    if (link.trouble() !== sentence) {
      log.warn("Temporal cannot be used: retries of webhooks wait in the store until it can.", {
        detail: sentence,
        ...cause,
      });
    }
    link.closed(sentence);
  };

  async function work(signal: AbortSignal, round: Round): Promise<void> {
    const opened = await round((until) => unlessAborted(connectTo(options), until));
    if (opened === undefined) return;
    const { connection, client } = opened;
    try {
      await round(() => assertServer(connection, options, options.searchAttributes));
      const worker = await round(async () => createWorker(options, await options.bundle(), connection));
      const running = worker.run();
      const isOver = new AbortController();
      const over = running.finally(() => isOver.abort());
      // Looked at below; until then a failure must not be an unhandled one.
      over.catch(() => undefined);
      const until = AbortSignal.any([signal, isOver.signal]);
      while (!until.aborted) {
        try {
          await connection.withDeadline(Date.now() + PING_MS, () => connection.workflowService.getSystemInfo({}));
          if (link.trouble() !== undefined) log.info("Temporal is reached.", { address });
          link.opened(client);
          reachable.set(1);
        } catch (error) {
          tell(troubleOf(error, address));
        }
        await pause(WATCH_MS, until);
      }
      if (worker.getState() === "RUNNING") worker.shutdown();
      await over;
    } finally {
      await connection.close();
    }
  }

  return {
    link,
    check: { name: "temporal", degrades: true, check: async () => link.trouble() },
    loop: {
      name: "temporal-worker",
      // A bundle is made once, and may take a while then.
      roundMs: START_MS,
      async run(signal, round = withoutDeadline(signal)) {
        installRuntime(log);
        let pauseMs = FIRST_PAUSE_MS;
        while (!signal.aborted) {
          const startedAt = performance.now();
          await work(signal, round).catch((error: unknown) => tell(troubleOf(error, address)));
          if (performance.now() - startedAt > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
          await pause(pauseMs, signal);
          pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        }
      },
    },
  };
}

/** The connection, or `undefined` when the signal is aborted first: connecting to a host that is silent takes long. */
async function unlessAborted<T extends Awaited<ReturnType<typeof connectTo>>>(
  connecting: Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const abort = () => aborted.resolve(undefined);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    const opened = await Promise.race([connecting, aborted.promise]);
    if (opened === undefined) connecting.then(({ connection }) => connection.close()).catch(() => undefined);
    return opened;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

const createWorker = (
  options: TemporalWorkerOptions,
  workflowBundle: WorkflowBundleOption,
  connection: Awaited<ReturnType<typeof connectTo>>["connection"],
): Promise<Worker> =>
  Worker.create({
    connection,
    namespace: options.namespace,
    taskQueue: TASK_QUEUE,
    identity: IDENTITY,
    workflowBundle,
    activities: options.activities,
    maxCachedWorkflows: CACHED_WORKFLOWS_MAX,
    maxConcurrentActivityTaskExecutions: options.activitySlots,
    workflowTaskPollerBehavior: { type: "autoscaling", maximum: 10 },
    activityTaskPollerBehavior: { type: "autoscaling", maximum: 10 },
    // A worker that died keeps its workflows from the others for so long.
    stickyQueueScheduleToStartTimeout: "2s",
    shutdownGraceTime: options.graceMs,
    shutdownForceTime: options.graceMs + 1_000,
  });

/** The SDK's engine exists once per process, and so does its log. It must not take the process's signals. */
let isInstalled = false;

function installRuntime(log: Log): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: "ERROR", other: "ERROR" }, forward: {} } },
    logger: new DefaultLogger("WARN", ({ level, message, meta }) => {
      // How a workflow ends is the server's news; it is not this process's failure.
      const isWorkflow = meta?.workflowId !== undefined;
      const write = level === "ERROR" && !isWorkflow ? log.warn : log.debug;
      write(`Temporal: ${message}`, meta?.error === undefined ? {} : { error: meta.error });
    }),
  });
}
