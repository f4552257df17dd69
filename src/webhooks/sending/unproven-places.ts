/** The part of a worker's places that unproven attempts may have together. */
const UNPROVEN_PART = 1 / 2;

/**
 * How many of a worker's places are left for unproven attempts: those that may take their whole time, because nothing is
 * known of their endpoints or the last attempts took long. The other places are kept for what ends promptly (R-X306).
 */
interface UnprovenPlaces {
  readonly free: number;
  take(): void;
  leave(): void;
}

/** For a worker that makes so many attempts at once. */
export function unprovenPlaces(attemptsMax: number): UnprovenPlaces {
  const most = Math.max(1, Math.floor(attemptsMax * UNPROVEN_PART));
  let taken = 0;
  return {
    get free() {
      return Math.max(0, most - taken);
    },
    take: () => void taken++,
    leave: () => void taken--,
  };
}
