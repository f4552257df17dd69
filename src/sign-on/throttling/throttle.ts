/** How failures are slowed down, for one kind of subject (R-X87). */
export interface ThrottlePlan {
  /** How many failures cost no wait. */
  readonly free: number;
  /** One failure is forgotten each time this has passed. */
  readonly forgetMs: number;
  /** The wait after the first failure beyond the free ones; each further one doubles it. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** The stored state of one subject. */
export interface Throttle {
  /** When all its failures will be forgotten; their number follows from the time until then. */
  readonly clearAt: Date;
  /** Attempts are checked from this instant on. */
  readonly openAt: Date;
}

/**
 * The wait after this many unforgotten failures; 0 for none. The longest wait bounds it, so that no person is locked
 * out for good.
 */
export function waitAfter({ free, firstWaitMs, longestWaitMs }: ThrottlePlan, failures: number): number {
  return failures <= free ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - free - 1));
}

/**
 * The throttle after one more failure at `now`. Failures beyond the longest wait are not counted, so that the traces of
 * an attack fade in the same time, however long it lasted.
 */
export function afterFailure(plan: ThrottlePlan, throttle: Throttle | undefined, now: Date): Throttle {
  const at = now.getTime();
  const rememberedMs = Math.max(0, (throttle?.clearAt.getTime() ?? at) - at) + plan.forgetMs;
  const countedMs = Math.min(rememberedMs, mostFailures(plan) * plan.forgetMs);
  // A partly forgotten failure still counts as one.
  const failures = Math.ceil(countedMs / plan.forgetMs);
  return { clearAt: new Date(at + countedMs), openAt: new Date(at + waitAfter(plan, failures)) };
}

/** How long until attempts are checked again, in milliseconds; 0 when they are now. */
export const waitLeft = (throttle: Throttle | undefined, now: Date): number =>
  Math.max(0, (throttle?.openAt.getTime() ?? 0) - now.getTime());

/** The first number of failures after which the wait is the longest. */
const mostFailures = ({ free, firstWaitMs, longestWaitMs }: ThrottlePlan): number =>
  free + 1 + Math.max(0, Math.ceil(Math.log2(longestWaitMs / firstWaitMs)));
