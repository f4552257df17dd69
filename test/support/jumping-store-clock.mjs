// Preloaded by the soak on PostgreSQL: the server's clock, which counts there, is ahead by as much as this process's (jumping-clock.mjs).
import pg from "pg";
import { aheadMs } from "./jumping-clock.mjs";

const CLOCK = "clock_timestamp()";
const { query } = pg.Client.prototype;

pg.Client.prototype.query = function (given, ...more) {
  if (typeof given?.text !== "string" || !given.text.includes(CLOCK)) return query.call(this, given, ...more);
  // Its text is another one each time, so it must not have the name of the first.
  const { name: _, text, ...rest } = given;
  return query.call(
    this,
    { ...rest, text: text.replace(CLOCK, `(${CLOCK} + interval '${aheadMs()} milliseconds')`) },
    ...more,
  );
};
