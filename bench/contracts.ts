import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import type { Page } from "playwright-core";
import { launchChromium } from "../test/support/chromium.ts";
import { startPortalEdge } from "../test/support/portal-edge.ts";
import { machine } from "./support/table.ts";

/**
 * Cost of the contracts for developers and readers: the time of each `make` target that makes or checks them, and the
 * bytes of a page of the documentation, opened for the first time and again. Usage: node bench/contracts.ts [target …]
 */
const TARGETS = ["generate", "check-contracts", "verify"];
const PAGES = ["docs", "docs/sign-on", "docs/gateway", "docs/events"];
const TICKS = 100;
const KILOBYTE = 1_000;

if (process.platform !== "linux") throw new Error("The benchmarks read CPU times from /proc and run on Linux only.");

/** Seconds of processor time of all children that have ended, user and system. */
function childrenCpu(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

function timed(target: string): string {
  const [cpuBefore, startedAt] = [childrenCpu(), performance.now()];
  const { status, stderr } = spawnSync("make", [target], { encoding: "utf8" });
  if (status !== 0) throw new Error(`make ${target} failed: ${stderr}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return `| \`make ${target}\` | ${(childrenCpu() - cpuBefore).toFixed(1)} | ${seconds.toFixed(1)} |`;
}

/** Counts the bytes that the page loads from now on, as sent over the wire. */
async function scale(page: Page): Promise<{ weigh(url: string): Promise<string> }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let sizes: number[] = [];
  session.on("Network.loadingFinished", ({ encodedDataLength }) => sizes.push(encodedDataLength));
  return {
    /** Kilobytes until the page is drawn and requests nothing more: in total, and of the largest part. */
    async weigh(url) {
      sizes = [];
      await page.goto(url, { waitUntil: "networkidle" });
      const all = sizes.reduce((sum, one) => sum + one, 0);
      return `${(all / KILOBYTE).toFixed(1)} (${(Math.max(0, ...sizes) / KILOBYTE).toFixed(1)})`;
    },
  };
}

async function weights(): Promise<readonly string[]> {
  const portal = await startPortalEdge();
  const browser = await launchChromium();
  try {
    const rows: string[] = [];
    for (const path of PAGES) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const { weigh } = await scale(page);
      const first = await weigh(`${portal.url}/${path}`);
      await page.goto(`${portal.url}/contracts/index.json`);
      rows.push(`| /${path} | ${first} | ${await weigh(`${portal.url}/${path}`)} |`);
      await context.close();
    }
    return rows;
  } finally {
    await browser.close();
    await portal.stop(0);
  }
}

const targets = process.argv.length > 2 ? process.argv.slice(2) : TARGETS;
console.log(`${machine()}\n`);
console.log("| page | first, kB (largest part) | again, kB |\n| --- | ---: | ---: |");
console.log((await weights()).join("\n"));
console.log("\n| | CPU s | wall s |\n| --- | ---: | ---: |");
for (const target of targets) console.log(timed(target));
