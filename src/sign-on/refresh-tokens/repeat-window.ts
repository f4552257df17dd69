/** What is known of a replaced refresh token that comes again. */
export interface RefreshRepeat {
  readonly replacedAt: Date;
  /** Whether the token that replaced it was itself replaced since, and so has reached the application. */
  readonly successorUsed: boolean;
  /** The application's `refreshRepeatSeconds`; 0 lets nothing through. */
  readonly windowSeconds: number;
  readonly now: Date;
}

/**
 * True when the repeat may be a lost answer or a parallel call: inside the window, the end excluded, and before the successor's first use
 * (R-S10). Otherwise it is theft. A clock behind the one that replaced it opens the window as long before as after, not for ever.
 */
export const isHarmlessRepeat = ({ replacedAt, successorUsed, windowSeconds, now }: RefreshRepeat): boolean =>
  !successorUsed && Math.abs(now.getTime() - replacedAt.getTime()) < windowSeconds * 1000;
