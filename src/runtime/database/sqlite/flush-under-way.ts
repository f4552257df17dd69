/** After so long without its end the disk must hang (R-X358). */
const HANGS_AFTER_MS = 5_000;
/** For each page of a change that is flushed by itself: a disk that writes 4 MB a second is slow, and does not hang. */
const PAGE_MS = 1;

/** A flush in libuv's pool: who waits for its end, and whether it hangs. */
export class FlushUnderWay {
  readonly #ended = Promise.withResolvers<void>();
  readonly #endedOrHangs = Promise.withResolvers<void>();
  readonly #watch: NodeJS.Timeout;
  #hasEnded = false;

  /**
   * @param onHangs called once, when the flush has not ended in time.
   * @param pages of the log that a long change has written; 0 for others, which are small.
   */
  constructor(onHangs: (flush: FlushUnderWay) => void, pages = 0) {
    this.#endedOrHangs.promise.catch(() => undefined);
    this.#watch = setTimeout(
      () => {
        // After a pause of the thread itself the end of the flush may be the next thing that the event loop reports.
        setImmediate(() => {
          if (!this.#hasEnded) onHangs(this);
        });
      },
      HANGS_AFTER_MS + pages * PAGE_MS,
    ).unref();
  }

  /** Resolves when the flush has ended, failed or not. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** As `ended`, but rejected when the flush hangs. */
  get endedOrHangs(): Promise<void> {
    return this.#endedOrHangs.promise;
  }

  /** Notes the end, so that the flush no longer counts as hanging; callers that wait for it go on after `release`. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#watch);
  }

  /** Lets callers go on that wait for the end. */
  release(): void {
    this.#ended.resolve();
    this.#endedOrHangs.resolve();
  }

  /** Lets callers go on that do not wait for a flush that hangs. */
  refuse(failure: unknown): void {
    this.#endedOrHangs.reject(failure);
  }
}
