/**
 * A subscription may have so many attempts under way to an origin for each place that is left free there: alone it gets
 * four fifths of the places, two get four ninths each, and the next subscription finds one.
 */
const PER_FREE_PLACE = 4;
/** A slow one keeps each place for long. */
const PER_FREE_PLACE_SLOW = 1;
/** The part of an origin's places that slow subscriptions may have together. */
const SLOW_PART = 1 / 2;

/** Attempts of a subscription that are under way to an origin. */
export interface UnderWay {
  readonly origin: string;
  readonly subscriptionId: string;
  readonly count: number;
  /** True when the subscription's last attempts took long. */
  readonly slow: boolean;
}

/** The places of one subscription at one origin. */
export interface OwnPlaces {
  /** Attempts under way. */
  readonly underWay: number;
  /** True when it may have one more. */
  readonly isFree: boolean;
  take(): void;
}

/** The places of all origins, as they are and as they are given out. */
export interface Places {
  of(subscription: Pick<UnderWay, "origin" | "subscriptionId" | "slow">): OwnPlaces;
}

/**
 * Says who may have one more place of an origin's `perOrigin` (R-X305): no subscription takes all of them while others could
 * come, or more than `mostOf` says (R-X338), and slow subscriptions together leave half to those that answer.
 */
export function createPlaces(
  underWay: readonly UnderWay[],
  perOrigin: number,
  mostOf: (subscriptionId: string) => number = () => Number.POSITIVE_INFINITY,
): Places {
  const origins = new Map<string, { all: number; slow: number }>();
  const subscriptions = new Map<string, { count: number }>();
  const originOf = (origin: string) => {
    const found = origins.get(origin) ?? { all: 0, slow: 0 };
    origins.set(origin, found);
    return found;
  };
  const ownOf = ({ origin, subscriptionId }: Pick<UnderWay, "origin" | "subscriptionId">) => {
    const key = `${origin} ${subscriptionId}`;
    const found = subscriptions.get(key) ?? { count: 0 };
    subscriptions.set(key, found);
    return found;
  };
  for (const one of underWay) {
    const origin = originOf(one.origin);
    origin.all += one.count;
    if (one.slow) origin.slow += one.count;
    ownOf(one).count += one.count;
  }
  const mostSlow = Math.max(1, Math.floor(perOrigin * SLOW_PART));

  return {
    of(subscription) {
      const origin = originOf(subscription.origin);
      const own = ownOf(subscription);
      const { slow } = subscription;
      const most = mostOf(subscription.subscriptionId);
      return {
        get underWay() {
          return own.count;
        },
        get isFree() {
          const free = perOrigin - origin.all;
          if (own.count >= most || (slow && origin.slow >= mostSlow)) return false;
          return own.count < free * (slow ? PER_FREE_PLACE_SLOW : PER_FREE_PLACE);
        },
        take() {
          own.count++;
          origin.all++;
          if (slow) origin.slow++;
        },
      };
    },
  };
}

/** The origins of which every place is taken. */
export function fullOrigins(underWay: readonly UnderWay[], perOrigin: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const { origin, count } of underWay) counts.set(origin, (counts.get(origin) ?? 0) + count);
  return [...counts].filter(([, count]) => count >= perOrigin).map(([origin]) => origin);
}
