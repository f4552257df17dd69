import { Failure } from "#runtime/basis/errors.ts";
import { Counter, Gauge, Histogram, type Metrics } from "#runtime/process/metrics.ts";
import type { SenderNetwork } from "../throttling/network.ts";
import { networkTurns } from "./network-turns.ts";

/** Bounds how many password hashes run at once, so that a flood of sign-ins leaves threads for token calls. */
export interface HashingQueue {
  /**
   * Runs `hash` when its turn comes: wide networks take turns, and in each of them its networks; each network is first
   * come, first served. When the queue is full, the network with the most waiting loses its newest to one with fewer, so
   * that a flood from one network cannot keep others out (R-X88, R-X436).
   * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when the queue is full, or another network took the place.
   */
  run<T>(network: SenderNetwork, hash: () => Promise<T>): Promise<T>;
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
  const queue = networkTurns<Waiting>();
  let running = 0;

  const turnedAway = (): Failure => {
    observer?.turnedAway();
    return new Failure("RESOURCE_EXHAUSTED", "hashing_queue_full", "Too many people are signing in at the moment.", {
      retryAfterSeconds: 2,
    });
  };

  const enter = (network: SenderNetwork): Promise<void> => {
    if (running < concurrency) {
      running++;
      return Promise.resolve();
    }
    if (queue.length >= length) {
      const displaced = queue.displace(network);
      if (displaced === undefined) throw turnedAway();
      displaced.giveWay();
    }
    return new Promise((resolve, reject) => {
      queue.add(network, { start: resolve, giveWay: () => reject(turnedAway()) });
    });
  };

  const leave = (): void => {
    const next = queue.next();
    if (next === undefined) running--;
    else next.start();
  };

  return {
    async run(network, hash) {
      const cameAt = performance.now();
      await enter(network);
      observer?.waited(performance.now() - cameAt);
      try {
        return await hash();
      } finally {
        leave();
      }
    },
    depth: () => queue.length,
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
