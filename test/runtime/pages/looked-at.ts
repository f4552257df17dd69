import type { Browser } from "playwright-core";
import { assets } from "#runtime/pages/assets.ts";
import { pageHeaders } from "#runtime/pages/page-headers.ts";
import { documentationStylesheet } from "../../../src/portal/frame/documentation-frame.ts";
import { axeFindings } from "../../support/axe.ts";
import { spacedTextFindings } from "./spaced-text.ts";
import { tornWords } from "./torn-words.ts";

export interface Look {
  readonly colorScheme: "light" | "dark";
  /** CSS pixels: 320 is the narrowest that WCAG 2.2 §1.4.10 asks for, and 1280 at 400 %. */
  readonly width: number;
}

export const LOOKS: readonly Look[] = [
  { colorScheme: "light", width: 320 },
  { colorScheme: "dark", width: 1280 },
];

/** CSS pixels of a desktop and of a phone. */
const LARGE_TEXT_WIDTHS = [1280, 390] as const;

const ORIGIN = "https://gatehouse.test";

/**
 * What is wrong with a page when it is looked at: rules of axe, sideways scrolling, words that are torn, spaced text, code that is cut
 * off, paragraphs without a gap, complaints of the browser's console. Empty when nothing is.
 */
export async function findings(
  browser: Browser,
  markup: string,
  { colorScheme, width }: Look,
): Promise<readonly string[]> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
  const found: string[] = [];
  try {
    const page = await context.newPage();
    page.on("console", (message) => found.push(`console: ${message.text()}`));
    page.on("dialog", (dialog) => found.push(`dialog: ${dialog.message()}`));
    await page.route(`${ORIGIN}/**`, (route) => {
      const asset = [...Object.values(assets), documentationStylesheet].find(
        ({ href }) => route.request().url() === `${ORIGIN}${href}`,
      );
      return asset
        ? route.fulfill({ contentType: asset.mediaType, body: asset.body })
        : route.fulfill({ contentType: "text/html; charset=utf-8", body: markup, headers: pageHeaders() });
    });
    await page.goto(`${ORIGIN}/`);
    found.push(...(await axeFindings(page)));
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    if (overflow !== 0) found.push(`scrolls sideways by ${overflow} px`);
    found.push(...(await tornWords(page)));
    found.push(...(await spacedTextFindings(page)));
    found.push(
      ...((await page.evaluate(`[...document.querySelectorAll(".code, pre")]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((box) => "cut off: " + box.textContent)`)) as string[]),
    );
    found.push(
      ...((await page.evaluate(`[...document.querySelectorAll("main p + p:not(.links)")]
        .filter((second) => second.getBoundingClientRect().top - second.previousElementSibling.getBoundingClientRect().bottom < 4)
        .map(({ textContent }) => "runs on from the paragraph before it: " + textContent)`)) as string[]),
    );
    // WCAG 2.2 §1.4.4.
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    for (const size of LARGE_TEXT_WIDTHS) {
      await page.setViewportSize({ width: size, height: 800 });
      const beyond = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      if (beyond !== 0) found.push(`text at 200 %, ${size} px: scrolls sideways by ${beyond} px`);
    }
  } finally {
    await context.close();
  }
  return found;
}
