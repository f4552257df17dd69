import { CLOCKS_APART_MS } from "#runtime/basis/clock.ts";

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

/** A throttle whose wait ends later was written while the store's clock was ahead, and is ignored. */
export const ignoredFrom = ({ longestWaitMs }: ThrottlePlan, now: Date): Date =>
  new Date(now.getTime() + longestWaitMs + CLOCKS_APART_MS);

/** How long until attempts are checked again, in milliseconds; 0 when they are now. */
export function waitLeft(plan: ThrottlePlan, throttle: Throttle | undefined, now: Date): number {
  const openAt = throttle?.openAt ?? now;
  return openAt > ignoredFrom(plan, now) ? 0 : Math.max(0, openAt.getTime() - now.getTime());
}

/** The first number of failures after which the wait is the longest. */
const mostFailures = ({ free, firstWaitMs, longestWaitMs }: ThrottlePlan): number =>
  free + 1 + Math.max(0, Math.ceil(Math.log2(longestWaitMs / firstWaitMs)));

/** The plan of each kind of subject; a kind without one is not throttled. */
export interface ThrottlePlans {
  readonly email: ThrottlePlan | undefined;
  readonly network: ThrottlePlan | undefined;
  /** Of an IPv6 network of 48 bits (R-X436). */
  readonly wideNetwork: ThrottlePlan | undefined;
}

const SECOND_MS = 1_000;
const FIRST_WAIT_MS = 10 * SECOND_MS;
/** A network may be a company behind one address: its waits are short, and its failures are forgotten soon. */
const NETWORK_LONGEST_WAIT_MS = 60 * SECOND_MS;
/** A wide network may fail as often as so many of its networks. */
const NETWORKS_IN_WIDE = 10;

/**
 * The plans that the settings ask for (R-X87); no free failure at all switches a kind off. An e-mail address forgets one failure each half
 * hour, so that an attacker has at most some hundred guesses a day; a network one each ten seconds, a wide one each second.
 */
export function throttlePlans(settings: {
  readonly failuresPerEmail: number;
  readonly failuresPerNetwork: number;
  readonly longestWaitSeconds: number;
}): ThrottlePlans {
  const longestWaitMs = settings.longestWaitSeconds * SECOND_MS;
  const plan = (free: number, forgetMs: number, longest: number): ThrottlePlan | undefined =>
    free === 0 ? undefined : { free, forgetMs, firstWaitMs: Math.min(FIRST_WAIT_MS, longest), longestWaitMs: longest };
  const ofNetworks = (count: number): ThrottlePlan | undefined =>
    plan(
      settings.failuresPerNetwork * count,
      (10 * SECOND_MS) / count,
      Math.min(NETWORK_LONGEST_WAIT_MS, longestWaitMs),
    );
  return {
    email: plan(settings.failuresPerEmail, 30 * 60 * SECOND_MS, longestWaitMs),
    network: ofNetworks(1),
    wideNetwork: ofNetworks(NETWORKS_IN_WIDE),
  };
}
