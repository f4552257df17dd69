import type { Browser, Response } from "playwright-core";
import { spacedTextFindings } from "../../runtime/pages/spaced-text.ts";
import { axeFindings } from "../../support/axe.ts";
import { paperFindings } from "./paper.ts";

/** CSS pixels of a phone and of a desk; the pages look different at each, so axe sees other things. */
export const WIDTHS = [390, 1280] as const;

/** The narrowest window that WCAG 2.2 §1.4.10 asks for. */
const NARROWEST = 320;

/** What one look at a page found, and what its first view weighs. */
export interface Looked {
  /** Console, requests to elsewhere, rules of axe, sideways scrolling, torn words, spaced text, paper; empty when nothing is wrong. */
  readonly findings: readonly string[];
  /** Bytes of the page and all that it loads, not compressed. */
  readonly bytes: number;
}

/** Words that end in one line and go on in the next, although nothing says that they may. */
const TORN_WORDS = `(() => {
  const torn = [];
  const look = (places, words, mayBreak) => {
    for (const place of document.querySelectorAll(places)) {
      const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        for (const word of node.parentElement.closest(mayBreak) === null ? node.data.matchAll(words) : []) {
          const range = document.createRange();
          range.setStart(node, word.index);
          range.setEnd(node, word.index + word[0].length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) torn.push(word[0]);
        }
    }
  };
  look(".ways a, .contents a span, .address code, h1, h2, h3, .code pre", /\\S+/g, ":not(*)");
  // A cell breaks after a hyphen too; beyond the first column it breaks names of programs and links where it must.
  look(".prose :is(th, td)", /[\\p{L}\\p{N}]+/gu, "td + td :is(a, code)");
  return torn;
})()`;

/** Pixels by which the page is wider than its window. */
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** Pixels by which tables are wider than the text around them. */
const WIDE_TABLES = `[...document.querySelectorAll(".prose table")]
  .map(({ scrollWidth, parentElement }) => scrollWidth - parentElement.clientWidth)
  .filter((pixels) => pixels > 0)`;

/**
 * Opens the page at this width and looks at it in light, by every rule, and in dark, by the one rule that colours
 * decide: the schemes differ in nothing else (R-X218).
 */
export async function looked(
  browser: Browser,
  address: string,
  width: number,
  { axe = true }: { readonly axe?: boolean } = {},
): Promise<Looked> {
  const context = await browser.newContext({ colorScheme: "light", viewport: { width, height: 844 } });
  const page = await context.newPage();
  const findings: string[] = [];
  const responses: Response[] = [];
  const { origin } = new URL(address);
  page.on("console", (message) => findings.push(`console: ${message.text()}`));
  page.on("request", (request) => request.url().startsWith(origin) || findings.push(request.url()));
  page.on("response", (response) => responses.push(response));
  await page.goto(address);
  // Only what has come until now: a body that is read later may find the page closed.
  const bodies = await Promise.all(responses.map((response) => response.body()));
  for (const narrow of [NARROWEST, width]) {
    await page.setViewportSize({ width: narrow, height: 844 });
    const overflow = await page.evaluate(OVERFLOW);
    if (overflow !== 0) findings.push(`scrolls sideways by ${overflow} px at ${narrow}`);
    const torn = (await page.evaluate(TORN_WORDS)) as readonly string[];
    const wide = (await page.evaluate(WIDE_TABLES)) as readonly number[];
    findings.push(...torn.map((word) => `torn at ${narrow}: ${word}`));
    findings.push(...wide.map((pixels) => `a table is too wide by ${pixels} px at ${narrow}`));
    findings.push(...(await spacedTextFindings(page)).map((finding) => `${finding} at ${narrow}`));
  }
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  const ofLargeText = await page.evaluate(OVERFLOW);
  if (ofLargeText !== 0) findings.push(`text at 200 % scrolls sideways by ${ofLargeText} px`);
  await page.evaluate("document.documentElement.style.fontSize = ''");
  findings.push(...(await paperFindings(page)));
  if (axe) {
    findings.push(...(await axeFindings(page)));
    await page.emulateMedia({ colorScheme: "dark" });
    findings.push(...(await axeFindings(page, ["color-contrast"])).map((finding) => `dark: ${finding}`));
  }
  await context.close();
  return { findings, bytes: bodies.reduce((sum, { length }) => sum + length, 0) };
}

/** Prints what first views weigh, the heaviest first, beside their bound. */
export function printWeights(weights: ReadonlyMap<string, number>, bytesMax: number): void {
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`.padStart(9);
  const rows = [...weights].toSorted(([, one], [, other]) => other - one);
  const lines = rows.map(([address, bytes]) => `${kilobytes(bytes)} of ${kilobytes(bytesMax)}  ${address}`);
  process.stdout.write(`First views, not compressed:\n${lines.join("\n")}\n`);
}
