import { Failure } from "#runtime/basis/errors.ts";

/** Lets few password hashes run at once, so that a flood of sign-ins cannot starve token calls of threads (trap T16). */
export interface HashingQueue {
  /**
   * Runs `hash` when its turn comes, first come first served.
   * @throws RESOURCE_EXHAUSTED (hashing_queue_full) when too many wait.
   */
  run<T>(hash: () => Promise<T>): Promise<T>;
  /** How many wait. */
  depth(): number;
}

export function createHashingQueue({
  concurrency,
  length,
}: {
  readonly concurrency: number;
  readonly length: number;
}): HashingQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  const enter = (): Promise<void> => {
    if (running < concurrency) {
      running++;
      return Promise.resolve();
    }
    if (waiting.length >= length) {
      throw new Failure("RESOURCE_EXHAUSTED", "hashing_queue_full", "Too many people are signing in at the moment.", {
        retryAfterSeconds: 2,
      });
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  };

  return {
    async run(hash) {
      await enter();
      try {
        return await hash();
      } finally {
        leave();
      }
    },
    depth: () => waiting.length,
  };
}
