// Preloaded by the soak: this process's clock runs as the machine's does, and jumps ahead by a day every TEST_CLOCK_DAY_MS since
// TEST_CLOCK_FROM_MS, so that what lives for months ages in minutes.
const fromMs = Number(process.env.TEST_CLOCK_FROM_MS);
const dayMs = Number(process.env.TEST_CLOCK_DAY_MS);
const RealDate = Date;

const now = () => {
  const real = RealDate.now();
  return real + Math.max(0, Math.floor((real - fromMs) / dayMs)) * 86_400_000;
};

globalThis.Date = class JumpingDate extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }

  static now() {
    return now();
  }
};
