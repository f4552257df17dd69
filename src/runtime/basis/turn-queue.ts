/** Gives the turn to one caller at a time, or to as many as it has places, in the order in which they ask for it. */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];
  readonly #places: number;
  #taken = 0;

  constructor(places = 1) {
    this.#places = places;
  }

  /** True while a caller has the turn. */
  get isTaken(): boolean {
    return this.#taken > 0;
  }

  /**
   * Resolves once the caller has the turn: at once while a place is free. Each caller gives it back by `release`.
   * @throws the signal's reason when it is aborted by then: the caller waits no more, and has no turn.
   */
  take(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.#taken < this.#places) {
      this.#taken++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal?.reason as Error);
      };
      this.#waiting.push(begin);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Gives the turn to the caller that has waited longest, or takes it back where no caller waits. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }

  /**
   * Calls `work` when its turn comes, which `taken` says. The turn ends when what it returns is settled, also where that fails.
   * @throws what `taken` does; then there is no turn.
   */
  async run<T>(work: () => Promise<T>, taken: Promise<void> = this.take()): Promise<T> {
    await taken;
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
