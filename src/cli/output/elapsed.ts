const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** How far an instant is from now, in its greatest unit: `3 minutes ago`, `in 2 days`, `now`. */
export function elapsed(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  const count = Math.floor(Math.abs(seconds) / size);
  if (count === 0) return "now";
  const words = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return seconds < 0 ? `${words} ago` : `in ${words}`;
}
