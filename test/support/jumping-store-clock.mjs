// Preloaded by the soak on PostgreSQL: the server's clock, which counts there, is ahead by as much as this process's (jumping-clock.mjs).
import { aheadMs } from "./jumping-clock.mjs";
import { shiftStoreClock } from "./store-clock-shift.mjs";

shiftStoreClock(aheadMs);
