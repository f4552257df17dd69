import { statSync } from "node:fs";
import { makeDirectory } from "#runtime/basis/directories.ts";
import { CannotStart } from "#runtime/basis/errors.ts";
import { shellWord } from "#runtime/basis/terminal-lines.ts";
import { type HealthCheck, type Part, Parts, stopOnSignals } from "#runtime/process/lifecycle.ts";
import { createLog, type Log } from "#runtime/process/log.ts";
import { type Management, startManagement } from "#runtime/process/management.ts";
import { Counter, createMetrics, type Metrics } from "#runtime/process/metrics.ts";
import type { Config } from "../config.ts";
import { type ListeningPorts, listeningPorts } from "./listening-ports.ts";
import { startFailure } from "./start-failure.ts";

/** The process that a role runs in: a log, metrics, and parts that are stopped in reverse order. */
export interface Process {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly checks: HealthCheck[];
  /** Where this installation listens on this machine; what a role adds, the others know. */
  readonly ports: ListeningPorts;
  /** Aborted when the process begins to stop: from then on it reports not ready. */
  readonly stopping: AbortSignal;
  add(part: Part): void;
  /** Called when everything runs; the process then reports ready. */
  ready(): Promise<Running>;
  /** Stops the parts started so far, after a failed start. */
  abandon(): Promise<void>;
  /**
   * Ends the program for a reason that only a restart can fix: writes one log line, leaves a short time for answers,
   * and exits with the code.
   */
  end(sentence: string, error: unknown, exitCode: number): void;
}

/** A started process. */
export interface Running {
  readonly managementAddress: string;
  /** Its health, for a start that reports more than `ready`. */
  readonly checks: readonly HealthCheck[];
  /** Reports not ready first, then stops the parts. */
  stop(graceMs?: number): Promise<void>;
}

const END_GRACE_MS = 2_000;

function createProcess(config: Config): Process {
  makeDataDirectory(config["data-directory"]);
  const metrics = createMetrics();
  const lostLines = new Counter({
    name: "gatehouse_log_lines_lost_total",
    help: "Log lines that were lost because the log took none.",
    registers: [metrics],
  });
  const log = createLog({
    level: config["log-level"],
    destination: config["log-destination"],
    onLost: () => lostLines.inc(),
  });
  for (const detail of config.warnings) log.warn("A variable of the environment is not a setting.", { detail });
  const checks: HealthCheck[] = [];
  const parts = new Parts(log);
  const ports = listeningPorts(config["socket-directory"], log);
  const stopping = new AbortController();
  return {
    log,
    metrics,
    checks,
    ports,
    stopping: stopping.signal,
    add: (part) => parts.add(part),
    async ready() {
      const management = await startManagement({
        host: config["management-host"],
        port: config["management-port"],
        checks,
        metrics,
        log,
      });
      ports.add(management.port);
      management.started();
      stopping.signal.addEventListener("abort", () => management.draining(), { once: true });
      log.info("Started.", { role: config.roles.join(","), version: config.version });
      return running({ management, checks, parts, ports, log, stopping });
    },
    async abandon() {
      stopping.abort();
      await parts.stop();
      ports.leave();
      log.flush();
    },
    end(sentence, error, exitCode) {
      log.error(sentence, { error });
      stopping.abort();
      const exit = () => {
        log.flush();
        process.exit(exitCode);
      };
      setTimeout(exit, END_GRACE_MS + 1_000).unref();
      void parts.stop(END_GRACE_MS).then(exit);
    },
  };
}

/** Private from the start, since it contains the store, the master key, the log and the sockets. */
function makeDataDirectory(path: string): void {
  try {
    makeDirectory(path, 0o700);
    // An existing directory keeps its mode, since another program may use it too.
    if ((statSync(path).mode & 0o077) !== 0)
      throw new CannotStart(
        `The data directory ${path} can be entered by others. Run: chmod 700 ${shellWord(path)}, or set data-directory to another.`,
        { exitCode: 78 },
      );
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause;
    throw new CannotStart(
      `The data directory ${path} cannot be made (${(cause as NodeJS.ErrnoException).code}). Make its parent writable or set data-directory.`,
      { cause },
    );
  }
}

interface RunningDeps {
  readonly management: Management;
  readonly checks: readonly HealthCheck[];
  readonly parts: Parts;
  readonly ports: ListeningPorts;
  readonly log: Log;
  readonly stopping: AbortController;
}

const running = ({ management, checks, parts, ports, log, stopping }: RunningDeps): Running => ({
  checks,
  managementAddress: management.address,
  async stop(graceMs) {
    stopping.abort();
    await parts.stop(graceMs);
    await management.stop(0);
    ports.leave();
    log.flush();
  },
});

/** Starts a process by `compose`, and undoes what it started when that fails. */
export async function startProcess<R extends Running>(
  config: Config,
  compose: (process: Process) => Promise<R>,
): Promise<R & { readonly log: Log }> {
  const started = createProcess(config);
  try {
    return { ...(await compose(started)), log: started.log };
  } catch (error) {
    await started.abandon();
    throw startFailure(error);
  }
}

/**
 * Runs a role until a signal ends it, be it while it starts: a program that is the first process of a container is ended by no
 * signal that it does not listen to.
 */
export async function serveProcess(config: Config, compose: (process: Process) => Promise<Running>): Promise<void> {
  const started = createProcess(config);
  const stopping = { isBegun: false, stop: (_: number | undefined) => started.abandon() };
  stopOnSignals(
    {
      stop(graceMs) {
        stopping.isBegun = true;
        return stopping.stop(graceMs);
      },
    },
    started.log,
  );
  try {
    const running = await compose(started);
    stopping.stop = running.stop;
  } catch (error) {
    // What a stop has closed fails whatever comes next of the start, and the stop ends the process.
    if (stopping.isBegun) return;
    await started.abandon();
    throw startFailure(error);
  }
}
