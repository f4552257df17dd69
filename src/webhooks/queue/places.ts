/**
 * A subscription may have so many attempts under way to an origin for each place that is left free there: alone it gets
 * four fifths of the places, two get four ninths each, and the next subscription finds one.
 */
const PER_FREE_PLACE = 4;
/** A slow one keeps each place for long. */
const PER_FREE_PLACE_SLOW = 1;
/** Retries of an engine outside the store have this part, so that new events of the subscription find a place beside them. */
const RETRIES_PART = 1 / 2;
/** The part of an origin's places that slow subscriptions may have together. */
const SLOW_PART = 1 / 2;

/** Attempts of a subscription that are under way to an origin. */
export interface UnderWay {
  readonly origin: string;
  readonly subscriptionId: string;
  readonly integrationId: string;
  readonly count: number;
  /** How many of them are retries that an engine outside the store drives; absent where there is no such engine. */
  readonly retries?: number;
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
  /** For what is new; with `isRetry`, for a retry that an engine outside the store drives. */
  of(subscription: Pick<UnderWay, "origin" | "subscriptionId" | "slow"> & { readonly isRetry?: boolean }): OwnPlaces;
}

/**
 * Says who may have one more place of an origin's `perOrigin` (R-X305): no subscription takes all of them while others could
 * come, and slow subscriptions together leave half to those that answer. What is new has no more than `mostOf` says, of which
 * retries beside it take half at most (R-X338).
 */
export function createPlaces(
  underWay: readonly UnderWay[],
  perOrigin: number,
  mostOf: (subscriptionId: string) => number = () => Number.POSITIVE_INFINITY,
): Places {
  const origins = new Map<string, { all: number; slow: number }>();
  const subscriptions = new Map<string, { count: number; retries: number }>();
  const originOf = (origin: string) => {
    const found = origins.get(origin) ?? { all: 0, slow: 0 };
    origins.set(origin, found);
    return found;
  };
  const ownOf = ({ origin, subscriptionId }: Pick<UnderWay, "origin" | "subscriptionId">) => {
    const key = `${origin} ${subscriptionId}`;
    const found = subscriptions.get(key) ?? { count: 0, retries: 0 };
    subscriptions.set(key, found);
    return found;
  };
  for (const one of underWay) {
    const origin = originOf(one.origin);
    origin.all += one.count;
    if (one.slow) origin.slow += one.count;
    const own = ownOf(one);
    own.count += one.count;
    own.retries += one.retries ?? 0;
  }
  const mostSlow = Math.max(1, Math.floor(perOrigin * SLOW_PART));

  return {
    of(subscription) {
      const origin = originOf(subscription.origin);
      const own = ownOf(subscription);
      const { slow, isRetry = false } = subscription;
      const most = mostOf(subscription.subscriptionId);
      const perFree = slow ? PER_FREE_PLACE_SLOW : PER_FREE_PLACE;
      /** Of what it can use: what is new, and retries as far as they count. */
      const inUse = () => own.count - own.retries + Math.min(own.retries, Math.floor(most * RETRIES_PART));
      /** Whether it may have one more, beside so many more of its own. */
      const hasRoom = (more: number) =>
        own.count + more < (perOrigin - origin.all - more) * perFree && !(slow && origin.slow + more >= mostSlow);
      /** All retries but the first leave a place for what is new, also where there are few. */
      const isFreeForRetry = () =>
        own.retries === 0 || (own.retries < (perOrigin - origin.all) * perFree * RETRIES_PART && hasRoom(1));
      return {
        get underWay() {
          return own.count;
        },
        get isFree() {
          return hasRoom(0) && (isRetry ? isFreeForRetry() : inUse() < most);
        },
        take() {
          own.count++;
          if (isRetry) own.retries++;
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
