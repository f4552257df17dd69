import { cancelled } from "./gatehouse-error.js";

/**
 * Where the reads of one key pass. After an answer that the key is over its limit they wait together until its time has passed, and then go
 * one after another: together they would be over the limit again at once. When none waits any more, all pass freely.
 */
export class Turnstile {
  #opensAt = 0;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** Sends when it is this read's turn. `limitedForMs` says of an answer for how long the key is over its limit, if it is. */
  async pass<Answer>(
    send: () => Promise<Answer>,
    limitedForMs: (answer: Answer) => number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const noted = async () => {
      const answer = await send();
      const limited = limitedForMs(answer);
      if (limited !== undefined) this.#opensAt = Math.max(this.#opensAt, performance.now() + limited);
      return answer;
    };
    if (this.#waiting === 0 && performance.now() >= this.#opensAt) return noted();
    const before = this.#last;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = before.then(() => left);
    this.#waiting++;
    try {
      await unlessCancelled(signal, (resolve) => void before.then(resolve));
      // Answers to what was sent earlier may have moved it meanwhile.
      while (performance.now() < this.#opensAt) await pause(this.#opensAt - performance.now(), signal);
      return await noted();
    } finally {
      this.#waiting--;
      leave();
    }
  }
}

export const pause = (delayMs: number, signal: AbortSignal | undefined): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return unlessCancelled(signal, (resolve) => {
    timer = setTimeout(resolve, delayMs);
  }).finally(() => clearTimeout(timer));
};

const unlessCancelled = (signal: AbortSignal | undefined, begin: (resolve: () => void) => void): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    const stop = () => signal && reject(cancelled(signal));
    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop, { once: true });
    begin(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
  });
