/**
 * The places that a Temporal worker has for activities, which attempts and steps of recoveries share. An activity has one from its
 * start, also while it asks whether it may go on: others ask meanwhile.
 */
export interface ActivityPlaces {
  /** For attempts: of how many one more could be made. One at least, that of the activity which asks. */
  readonly free: number;
  take(): void;
  leave(): void;
}

export function activityPlaces(slots: number): ActivityPlaces {
  let taken = 0;
  return {
    get free() {
      return Math.max(1, slots - taken);
    },
    take: () => void taken++,
    leave: () => void taken--,
  };
}
