/** A replaced refresh token that is presented again. */
export interface RefreshRepeat {
  readonly replacedAt: Date;
  /** Whether the token that replaced it was itself replaced since, and so has reached the application. */
  readonly successorUsed: boolean;
  /** The application's `refreshRepeatSeconds`; 0 allows no repeat. */
  readonly windowSeconds: number;
  readonly now: Date;
}

/**
 * True when the repeat may be a lost answer or a parallel call: inside the window, the end excluded, and before the
 * successor's first use (R-S10). Otherwise it is theft. If this clock is behind the one that replaced the token, the
 * window is open as long before that instant as after it, and no longer.
 */
export const isHarmlessRepeat = ({ replacedAt, successorUsed, windowSeconds, now }: RefreshRepeat): boolean =>
  !successorUsed && Math.abs(now.getTime() - replacedAt.getTime()) < windowSeconds * 1000;
