import { Failure } from "#runtime/basis/errors.ts";

/** Lets few password hashes run at once, so that a flood of sign-ins cannot starve token calls of threads. */
export interface HashingQueue {
  /**
   * Runs `hash` when its turn comes: sources take turns, within one it is first come, first served. When no place is left, the newest of
   * the source that has most waiting gives way to a source that has fewer, so that no flood keeps others out (R-X88).
   * @param source Where the wish comes from, for example a network.
   * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when there is no place, or it was given to another source.
   */
  run<T>(source: string, hash: () => Promise<T>): Promise<T>;
  /** How many wait. */
  depth(): number;
}

/** What is told of each wish; see `hashing-metrics.ts`. */
export interface HashingObserver {
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
  /** The waiting ones of each source; sources in the order of their turns, none without somebody waiting. */
  const sources = new Map<string, Waiting[]>();
  let depth = 0;
  let running = 0;

  const turnedAway = (): Failure => {
    observer?.turnedAway();
    return new Failure("RESOURCE_EXHAUSTED", "hashing_queue_full", "Too many people are signing in at the moment.", {
      retryAfterSeconds: 2,
    });
  };

  /** Makes the newest of the source that has most waiting give way, if that is fairer than to refuse `source`. */
  const makePlace = (source: string): boolean => {
    const own = sources.get(source) ?? [];
    const most = [...sources.values()].reduce((one, other) => (other.length > one.length ? other : one), own);
    // With one more it would be no shorter than the other becomes: nothing would be fairer.
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
    // Whoever had a turn stands last again.
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
