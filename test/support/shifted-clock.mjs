// Preloaded by tests: sets this process's clock ahead or back by TEST_CLOCK_MS, as a wrong machine's would be.
const shiftMs = Number(process.env.TEST_CLOCK_MS);
const RealDate = Date;

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + shiftMs] : given));
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
