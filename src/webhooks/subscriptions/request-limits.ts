// How much a request about subscriptions may name, the same for a subscription and for a recovery.

/** Event types, or patterns of them. */
export const EVENT_TYPES_MAX = 100;

/** Tenants. Workforce is asked about as many at once. */
export const TENANTS_MAX = 1_000;

/** Days of the longest range of one recovery. */
export const RECOVERY_DAYS_MAX = 31;
