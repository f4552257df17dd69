// Preloaded by the soak: this process's clock runs as the machine's does, and jumps ahead by a day every TEST_CLOCK_DAY_MS since
// TEST_CLOCK_FROM_MS, so that what lives for months ages in minutes.
const fromMs = Number(process.env.TEST_CLOCK_FROM_MS);
const dayMs = Number(process.env.TEST_CLOCK_DAY_MS);
const RealDate = Date;

/** Milliseconds that the clock is ahead of the machine's. */
export const aheadMs = () => Math.max(0, Math.floor((RealDate.now() - fromMs) / dayMs)) * 86_400_000;
const now = () => RealDate.now() + aheadMs();

// The process has run through these days: what is removed follows a clock no faster (R-X370).
const ranSeconds = process.uptime.bind(process);
process.uptime = () => ranSeconds() + aheadMs() / 1000;

globalThis.Date = class JumpingDate extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }

  static now() {
    return now();
  }
};
