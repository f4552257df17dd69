/** How failures are slowed down, for one kind of subject (R-X87). */
export interface ThrottlePlan {
  /** So many failures cost no wait. */
  readonly free: number;
  /** One failure is forgotten each time this has passed. */
  readonly forgetMs: number;
  /** The wait after the first failure beyond the free ones; each further one doubles it. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** What is remembered of one subject. */
export interface Throttle {
  /** When all its failures will be forgotten; how far off that is says how many they are. */
  readonly clearAt: Date;
  /** Attempts are judged from this instant on. */
  readonly openAt: Date;
}

/** The wait after so many failures that are not forgotten; 0 for none. Never more than the longest, so nobody is locked out for good. */
export function waitAfter({ free, firstWaitMs, longestWaitMs }: ThrottlePlan, failures: number): number {
  return failures <= free ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - free - 1));
}

/**
 * The throttle after one more failure at `now`. More failures than lead to the longest wait are not counted: when an attack is over, its
 * traces fade in the same time however long it was.
 */
export function afterFailure(plan: ThrottlePlan, throttle: Throttle | undefined, now: Date): Throttle {
  const at = now.getTime();
  const rememberedMs = Math.max(0, (throttle?.clearAt.getTime() ?? at) - at) + plan.forgetMs;
  const countedMs = Math.min(rememberedMs, mostFailures(plan) * plan.forgetMs);
  // A failure that is half forgotten still counts as one.
  const failures = Math.ceil(countedMs / plan.forgetMs);
  return { clearAt: new Date(at + countedMs), openAt: new Date(at + waitAfter(plan, failures)) };
}

/** How long until attempts are judged again, in milliseconds; 0 when they are. */
export const waitLeft = (throttle: Throttle | undefined, now: Date): number =>
  Math.max(0, (throttle?.openAt.getTime() ?? 0) - now.getTime());

/** The first number of failures after which the wait is the longest. */
const mostFailures = ({ free, firstWaitMs, longestWaitMs }: ThrottlePlan): number =>
  free + 1 + Math.max(0, Math.ceil(Math.log2(longestWaitMs / firstWaitMs)));
