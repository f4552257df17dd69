/** Gives the turn to one caller at a time, in the order in which they ask for it. */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** True while a caller has the turn. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Resolves once the caller has the turn: at once when nobody has it. Each caller gives it back by `release`. */
  take(): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Gives the turn to the caller that has waited longest, or takes it back where no caller waits. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }

  /** Calls `work` when its turn comes. The turn ends when what it returns is settled, also where that fails. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.take();
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
