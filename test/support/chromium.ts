import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { describeWith } from "./optional-part.ts";

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Path of the browser, if there is one. */
export const chromiumPath = (): string | undefined => CANDIDATES.find((path) => path !== undefined && existsSync(path));

/** A suite that needs a real browser. */
export function describeChromium(title: string, suite: () => void): void {
  const missing =
    chromiumPath() === undefined
      ? "looked for CHROMIUM_PATH and /usr/bin/chromium; install it with: apt-get install chromium"
      : undefined;
  describeWith({ name: "Chromium", missing }, title, suite);
}

/** Starts the browser without a window; close it in `afterAll`. */
export function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error("There is no Chromium; put the suite into describeChromium.");
  // As root the sandbox cannot start; small /dev/shm of containers breaks tall screenshots.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"] });
}
