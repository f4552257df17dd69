import type { UnderWay } from "./places.ts";

/**
 * An integration may have so many attempts under way for each place that is left free in the worker that asks: alone it gets
 * 480 of 512, two get 248 each.
 */
const PER_FREE_PLACE = 15;
/** Of the places for what is unproven, which are taken for long: alone 205 of 256. */
const PER_FREE_PLACE_UNPROVEN = 4;

/** The places of a worker that are free. */
export interface FreePlaces {
  /** Of all. */
  readonly all: number;
  /** Of those for unproven attempts. */
  readonly unproven: number;
}

/** What is under way of an integration, and its part of a worker's places. */
interface IntegrationPlaces {
  /** True when it may have one more. */
  readonly isFree: boolean;
  take(): void;
}

/** The places of the worker that asks, as they are and as they are given out. */
export interface WorkerPlaces {
  of(line: { readonly integrationId: string; readonly unproven: boolean }): IntegrationPlaces;
}

interface WorkerPlacesOptions {
  /** Of the worker that asks. */
  readonly free: FreePlaces;
  readonly isProven: (subscription: UnderWay) => boolean;
  /** True for the places of retries of an engine outside the store. */
  readonly ofRetries?: boolean;
}

/**
 * Says which integration may have one more of a worker's places (R-X387): none takes all of them while others could come. What
 * is under way counts over all workers, since the store does not know whose it is; retries of an engine outside the store have
 * places of their own, and count among themselves.
 */
export function createWorkerPlaces(
  underWay: readonly UnderWay[],
  { free, isProven, ofRetries = false }: WorkerPlacesOptions,
): WorkerPlaces {
  const integrations = new Map<string, { all: number; unproven: number }>();
  const left = { all: free.all, unproven: free.unproven };
  const ownOf = (integrationId: string) => {
    const found = integrations.get(integrationId) ?? { all: 0, unproven: 0 };
    integrations.set(integrationId, found);
    return found;
  };
  for (const one of underWay) {
    const own = ownOf(one.integrationId);
    const retries = one.retries ?? 0;
    const count = ofRetries ? retries : one.count - retries;
    own.all += count;
    if (!isProven(one)) own.unproven += count;
  }
  return {
    of({ integrationId, unproven }) {
      const own = ownOf(integrationId);
      return {
        get isFree() {
          if (own.all >= left.all * PER_FREE_PLACE) return false;
          return !unproven || own.unproven < left.unproven * PER_FREE_PLACE_UNPROVEN;
        },
        take() {
          own.all++;
          left.all--;
          if (!unproven) return;
          own.unproven++;
          left.unproven--;
        },
      };
    },
  };
}
