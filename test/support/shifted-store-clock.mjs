// Preloaded by tests on PostgreSQL: the server's clock is as wrong as this process's (shifted-clock.mjs), as on one machine.
import { shiftStoreClock } from "./store-clock-shift.mjs";
import "./shifted-clock.mjs";

shiftStoreClock(() => Number(process.env.TEST_CLOCK_MS));
