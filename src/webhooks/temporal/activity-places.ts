/** The part of the places that steps of recoveries may have together. */
const RECOVERIES_PART = 1 / 4;

/**
 * The places that a Temporal worker has for activities, which attempts and steps of recoveries share. An attempt has one from the start
 * of its activity, also while it asks whether it may be made: others ask meanwhile.
 */
export interface ActivityPlaces {
  /** For attempts: of how many one more could be made. One at least, that of the activity which asks. */
  readonly free: number;
  take(): void;
  leave(): void;
  /** For a step of a recovery; false while recoveries have their part (R-X393). */
  takeForRecovery(): boolean;
  leaveByRecovery(): void;
}

export function activityPlaces(slots: number): ActivityPlaces {
  const recoveriesMax = Math.max(1, Math.floor(slots * RECOVERIES_PART));
  let attempts = 0;
  let recoveries = 0;
  return {
    get free() {
      return Math.max(1, slots - attempts - recoveries);
    },
    take: () => void attempts++,
    leave: () => void attempts--,
    takeForRecovery() {
      if (recoveries >= recoveriesMax) return false;
      recoveries++;
      return true;
    },
    leaveByRecovery: () => void recoveries--,
  };
}
