import { Failure } from "#runtime/basis/errors.ts";
import { Counter, Gauge, Histogram, type Metrics } from "#runtime/process/metrics.ts";

/** Bounds how many password hashes run at once, so that a flood of sign-ins leaves threads for token calls. */
export interface HashingQueue {
  /**
   * Runs `hash` when its turn comes: sources take turns, and each source is first come, first served. When the queue is
   * full, the source with the most waiting loses its newest to a source with fewer, so that a flood from one source
   * cannot keep others out (R-X88).
   * @param source Where the request comes from, for example a network.
   * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when the queue is full, or another source took the place.
   */
  run<T>(source: string, hash: () => Promise<T>): Promise<T>;
  /** How many wait. */
  depth(): number;
}

/** Observes each request for a hash; see `hashingMetrics`. */
interface HashingObserver {
  waited(ms: number): void;
  turnedAway(): void;
}

interface HashingLimits {
  readonly concurrency: number;
  /** How many may wait. */
  readonly length: number;
  readonly observer?: HashingObserver;
}

interface Waiting {
  start(): void;
  giveWay(): void;
}

export function createHashingQueue({ concurrency, length, observer }: HashingLimits): HashingQueue {
  /** The waiting requests of each source, in the order of the sources' turns; a source without any is removed. */
  const sources = new Map<string, Waiting[]>();
  let depth = 0;
  let running = 0;

  const turnedAway = (): Failure => {
    observer?.turnedAway();
    return new Failure("RESOURCE_EXHAUSTED", "hashing_queue_full", "Too many people are signing in at the moment.", {
      retryAfterSeconds: 2,
    });
  };

  /** Rejects the newest request of the source with the most waiting, if that is fairer than to reject `source`. */
  const makePlace = (source: string): boolean => {
    const own = sources.get(source) ?? [];
    const most = [...sources.values()].reduce((one, other) => (other.length > one.length ? other : one), own);
    // With one more, this source would have as many waiting as the other has then: no gain in fairness.
    if (most.length <= own.length + 1) return false;
    most.pop()?.giveWay();
    depth--;
    return true;
  };

  const enter = (source: string): Promise<void> => {
    if (running < concurrency) {
      running++;
      return Promise.resolve();
    }
    if (depth >= length && !makePlace(source)) throw turnedAway();
    depth++;
    return new Promise((resolve, reject) => {
      const waiting = { start: resolve, giveWay: () => reject(turnedAway()) };
      const before = sources.get(source);
      if (before === undefined) sources.set(source, [waiting]);
      else before.push(waiting);
    });
  };

  const leave = (): void => {
    const [turn] = sources;
    if (turn === undefined) {
      running--;
      return;
    }
    const [source, waiting] = turn;
    const next = waiting.shift();
    depth--;
    // The source that had its turn goes to the end.
    sources.delete(source);
    if (waiting.length > 0) sources.set(source, waiting);
    next?.start();
  };

  return {
    async run(source, hash) {
      const cameAt = performance.now();
      await enter(source);
      observer?.waited(performance.now() - cameAt);
      try {
        return await hash();
      } finally {
        leave();
      }
    },
    depth: () => depth,
  };
}

/** Metrics of the hashing queue: its current length, the waiting times, and how many requests were rejected. */
export function hashingMetrics(metrics: Metrics, depth: () => number): HashingObserver {
  const registers = [metrics];
  new Gauge({
    name: "gatehouse_password_hash_queue_depth",
    help: "Passwords that wait to be hashed.",
    registers,
    collect() {
      this.set(depth());
    },
  });
  const waits = new Histogram({
    name: "gatehouse_password_hash_wait_seconds",
    help: "How long passwords waited until they were hashed.",
    buckets: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const turnedAway = new Counter({
    name: "gatehouse_password_hash_turned_away_total",
    help: "Passwords that were not hashed because too many were waiting.",
    registers,
  });
  return {
    waited: (ms) => waits.observe(ms / 1_000),
    turnedAway: () => turnedAway.inc(),
  };
}
