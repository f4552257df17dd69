/** True for a day of the calendar, `2027-02-28`. JavaScript takes the 31st of February for the 2nd of March; we do not. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The first and the last instant that RFC 3339 and google.protobuf.Timestamp can name. */
const FIRST_INSTANT = new Date("0001-01-01T00:00:00.000Z");
const LAST_INSTANT = new Date("9999-12-31T23:59:59.999Z");

/** False outside the years 1 to 9999, and of an invalid date, which is what a timestamp becomes that no date has. */
export const isInstant = (at: Date): boolean => at >= FIRST_INSTANT && at <= LAST_INSTANT;
