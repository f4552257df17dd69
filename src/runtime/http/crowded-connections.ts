import type { Server } from "node:http";
import type { Log } from "../basis/log.ts";
import type { IdleConnection, OpenConnections } from "./connections.ts";

/** From so many of the process's descriptors on, idle connections are closed; the others are for requests under way. */
const CROWDED_PART = 1 / 2;
/** So many are not exceeded: the rest is for the store, for health checks and for what is sent. */
const FULL_PART = 3 / 4;
/** Of the connections from which on idle ones are closed: so many that are idle stay, since one may be about to send its request. */
const STAY_PART = 1 / 8;
/** How often it is said at most. */
const SAY_EVERY_MS = 60_000;

interface CrowdOptions {
  /** How many files the process may have open; no limit is known where it is undefined. */
  readonly descriptors: number | undefined;
  readonly log: Log;
  /** Called for each connection that is closed for it, or not accepted. */
  crowded(): void;
}

/**
 * Leaves room for new connections (R-X388): when a process has used half of its descriptors for connections, each new one closes
 * the one that has been idle for longest, be it that it never sent a whole request or that all of its answers are taken. One with a
 * request under way is never closed for that, and neither is one of the few that became idle last.
 */
export function makeRoomForConnections(
  server: Server,
  connections: OpenConnections,
  { descriptors, log, crowded }: CrowdOptions,
): void {
  if (descriptors === undefined) return;
  const most = Math.max(1, Math.floor(descriptors * CROWDED_PART));
  const stay = Math.floor(most * STAY_PART);
  server.maxConnections = Math.max(1, Math.floor(descriptors * FULL_PART));
  /** The next ones to be closed, the longest idle last. */
  let candidates: IdleConnection[] = [];
  const nextCandidate = (): IdleConnection | undefined => {
    while (candidates.length > 0) {
      const candidate = candidates.pop();
      if (candidate?.isIdle() === true) return candidate;
    }
    return undefined;
  };
  /** Those that become idle later come behind all that are, so a list serves many new connections. */
  const longestIdle = (): IdleConnection | undefined => {
    const found = nextCandidate();
    if (found !== undefined) return found;
    candidates = connections.longestIdle().toReversed();
    return nextCandidate();
  };
  let saidAt = Number.NEGATIVE_INFINITY;
  const say = () => {
    crowded();
    const now = performance.now();
    if (now - saidAt < SAY_EVERY_MS) return;
    saidAt = now;
    log.warn("There are too many connections for this process's descriptors: idle ones are closed.", {
      count: connections.counts.open,
      detail: `It may have ${descriptors} files open. Raise that limit (ulimit -n, LimitNOFILE), or limit the connections of one address in front of it.`,
    });
  };
  server.on("connection", () => {
    const { open, idle } = connections.counts;
    // The new one is idle too.
    if (open <= most || idle - 1 <= stay) return;
    say();
    longestIdle()?.socket.destroy();
  });
  server.on("drop", say);
}

/** How many files this process may have open; Node raises it to what the system allows. */
export function descriptorsMax(): number | undefined {
  const { report } = process;
  // Names of peers would be looked up, and nothing of the environment is needed.
  Object.assign(report, { excludeNetwork: true, excludeEnv: true });
  const { userLimits } = report.getReport() as { readonly userLimits?: { readonly open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}
