import type { Server } from "node:http";
import { totalmem } from "node:os";
import type { Log } from "../process/log.ts";
import type { OpenConnections, WaitingConnection } from "./connections.ts";

/**
 * What one may take, with a body that comes slowly or with answers that its client does not read (some 200 KiB as
 * measured), so that three quarters of all leave a process of 512 MiB what it needs for itself.
 */
const CONNECTION_KIB = 256;

/** From so many of those that a process has room for on, idle ones are closed; the others are for requests under way. */
const CROWDED_PART = 1 / 2;
/** So many are not exceeded: the rest is for the store, for health checks and for what is sent. */
const FULL_PART = 3 / 4;
/**
 * Of the connections from which on idle ones are closed: so many that are idle stay, since one may be about to send its request, and
 * so many whose request is coming, since the rest of it may be on its way.
 */
const STAY_PART = 1 / 8;
/** How often it is said at most. */
const SAY_EVERY_MS = 60_000;

/** What a process has for connections. */
export interface Means {
  /** How many files it may have open; no limit is known where it is undefined. */
  readonly descriptors: number | undefined;
  /** How much memory it may have, in MiB. */
  readonly memoryMib: number;
}

interface CrowdOptions extends Means {
  readonly log: Log;
  /** Called for each connection that is closed for it, or not accepted. */
  crowded(): void;
}

/**
 * Leaves room for new connections (R-X388): when a process has half of the connections that its means allow, each new one closes
 * the one that has been idle for longest, be it that it never sent a whole request or that all of its answers are taken; where few
 * are idle, the one that has been sending the body of its request for longest. One whose request has come whole is never closed for
 * that, and neither is one of the few that became idle, or began to send, last.
 */
export function makeRoomForConnections(
  server: Server,
  connections: OpenConnections,
  { log, crowded, ...means }: CrowdOptions,
): void {
  const { room, scarce, limit } = roomOf(means);
  const most = Math.max(1, Math.floor(room * CROWDED_PART));
  const stay = Math.floor(most * STAY_PART);
  server.maxConnections = Math.max(1, Math.floor(room * FULL_PART));
  const nextIdle = nextOf(connections.longestIdle);
  const nextReceiving = nextOf(() => connections.longestReceiving().slice(0, -stay || undefined));
  let saidAt = Number.NEGATIVE_INFINITY;
  const say = () => {
    crowded();
    const now = performance.now();
    if (now - saidAt < SAY_EVERY_MS) return;
    saidAt = now;
    log.warn(
      `There are too many connections for this process's ${scarce}: those that wait for their clients are closed.`,
      {
        count: connections.counts.open,
        detail: `It may have ${limit}, or limit the connections of one address in front of it.`,
      },
    );
  };
  server.on("connection", () => {
    const { open, idle } = connections.counts;
    if (open <= most) return;
    // The new one is idle too.
    const next = idle - 1 > stay ? nextIdle() : nextReceiving();
    if (next === undefined) return;
    say();
    next.socket.destroy();
  });
  server.on("drop", say);
}

/** Gives one after the other. Those that begin to wait later come behind all that do, so one list serves many turns. */
function nextOf(list: () => readonly WaitingConnection[]): () => WaitingConnection | undefined {
  /** The longest waiting last. */
  let candidates: WaitingConnection[] = [];
  const next = (): WaitingConnection | undefined => {
    while (candidates.length > 0) {
      const candidate = candidates.pop();
      if (candidate?.stillWaits() === true) return candidate;
    }
    return undefined;
  };
  return () => {
    const found = next();
    if (found !== undefined) return found;
    candidates = list().toReversed();
    return next();
  };
}

/** For how many connections there is room, and what there would have to be more of first. */
function roomOf({ descriptors = Number.POSITIVE_INFINITY, memoryMib }: Means) {
  const room = Math.floor((memoryMib * 1024) / CONNECTION_KIB);
  return descriptors <= room
    ? {
        room: descriptors,
        scarce: "descriptors",
        limit: `${descriptors} files open. Raise that limit (ulimit -n, LimitNOFILE)`,
      }
    : { room, scarce: "memory", limit: `${memoryMib} MiB. Raise that limit (of its container or unit)` };
}

/** Of a container or another group of processes, the limit that the system has for it. */
export const meansOfProcess = (): Means => ({
  descriptors: descriptorsMax(),
  // Zero where no limit is known, and more than there is where there is none.
  memoryMib: Math.floor(Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()) / 1024 / 1024),
});

/** Node raises it to what the system allows. */
function descriptorsMax(): number | undefined {
  const { report } = process;
  // Names of peers would be looked up, and nothing of the environment is needed.
  Object.assign(report, { excludeNetwork: true, excludeEnv: true });
  const { userLimits } = report.getReport() as { readonly userLimits?: { readonly open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}
