import pg from "pg";

const CLOCK = "clock_timestamp()";

/** Asked for the time, PostgreSQL says from now on one that is ahead by as many milliseconds as `aheadMs` says then. */
export function shiftStoreClock(aheadMs) {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (given, ...more) {
    if (typeof given?.text !== "string" || !given.text.includes(CLOCK)) return query.call(this, given, ...more);
    // Its text may be another one each time, so it must not have the name of the first.
    const { name: _, text, ...rest } = given;
    return query.call(
      this,
      { ...rest, text: text.replace(CLOCK, `(${CLOCK} + interval '${aheadMs()} milliseconds')`) },
      ...more,
    );
  };
}
