/** The longest wait that one call may ask for. */
export const WAIT_MS_MAX = 30_000;

/** How long a lost wake-up may go unnoticed. */
export const LOOK_AGAIN_MS = 1_000;
