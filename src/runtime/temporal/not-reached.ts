/** Result of the Temporal check before the first connection attempt has ended. */
export const NOT_REACHED_YET = "not reached yet";
