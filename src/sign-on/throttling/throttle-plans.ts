import type { ThrottlePlan } from "./throttle.ts";

/** The plan of each kind of subject; a kind without one is not throttled. */
export interface ThrottlePlans {
  readonly email: ThrottlePlan | undefined;
  readonly network: ThrottlePlan | undefined;
}

const SECOND_MS = 1_000;
const FIRST_WAIT_MS = 10 * SECOND_MS;
/** A network may be a company behind one address: its waits are short, and its failures are forgotten soon. */
const NETWORK_LONGEST_WAIT_MS = 60 * SECOND_MS;

/**
 * The plans that the settings ask for (R-X87); no free failure at all switches a kind off. An e-mail address forgets one failure each half
 * hour, so that an attacker has at most some hundred guesses a day; a network one each ten seconds.
 */
export function throttlePlans(settings: {
  readonly failuresPerEmail: number;
  readonly failuresPerNetwork: number;
  readonly longestWaitSeconds: number;
}): ThrottlePlans {
  const longestWaitMs = settings.longestWaitSeconds * SECOND_MS;
  const plan = (free: number, forgetMs: number, longest: number): ThrottlePlan | undefined =>
    free === 0 ? undefined : { free, forgetMs, firstWaitMs: Math.min(FIRST_WAIT_MS, longest), longestWaitMs: longest };
  return {
    email: plan(settings.failuresPerEmail, 30 * 60 * SECOND_MS, longestWaitMs),
    network: plan(settings.failuresPerNetwork, 10 * SECOND_MS, Math.min(NETWORK_LONGEST_WAIT_MS, longestWaitMs)),
  };
}
