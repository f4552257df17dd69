/** True for a day of the calendar, `2027-02-28`. JavaScript takes the 31st of February for the 2nd of March; we do not. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
