/** What may go over by itself; in words that follow “waiting:”. */
export class PassingTrouble extends Error {
  /** How long to wait, where that was said. */
  readonly waitMs: number | undefined;

  constructor(reason: string, waitMs?: number) {
    super(reason);
    this.waitMs = waitMs;
  }
}
