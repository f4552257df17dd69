/**
 * What a browser calls itself, in words of a closed set: no text of the request is stored or shown. Empty for unknown
 * browsers.
 */
export interface Device {
  readonly browser: string;
  readonly system: string;
}

export const NO_DEVICE: Device = { browser: "", system: "" };

/** In this order, since most browsers also name the browsers they descend from. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Edge", /\bEdg(A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/.*\bSafari\//],
];

const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Windows", /\bWindows NT\b/],
  ["Android", /\bAndroid\b/],
  ["iPad", /\biPad\b/],
  ["iPhone", /\biPhone\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

/** Longer ones add no information. */
const LOOKED_AT_MAX = 512;

/** Shortens a `User-Agent` to browser and system; neither is trusted. */
export function deviceOf(userAgent: string): Device {
  const text = userAgent.slice(0, LOOKED_AT_MAX);
  const named = (table: typeof BROWSERS) => table.find(([, sign]) => sign.test(text))?.[0] ?? "";
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}
