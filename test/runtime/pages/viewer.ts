import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { assets } from "#runtime/pages/assets.ts";
import { pageHeaders, scriptAddress } from "#runtime/pages/page-headers.ts";
import { NAMED_RULES } from "../../support/axe.ts";
import { longGrids } from "./long-grids.ts";
import { spacedTextFindings } from "./spaced-text.ts";
import { tornWords } from "./torn-words.ts";

/** Looks at one page after the other in all ways, in one tab: opening it again for each costs more than looking. */
export interface Viewer {
  /** What is wrong with a page: rules of axe, sideways scrolling, spaced text, what is cut off at the window's edge or on paper, complaints of the console. */
  findings(markup: string): Promise<readonly string[]>;
  /** The names of what could be pressed on a screen and is on paper all the same. */
  pressableOnPaper(markup: string): Promise<readonly string[]>;
}

/** CSS pixels: 1280 for a desktop, 390 for a phone, 320 for 1280 at 400 % (WCAG 2.2 §1.4.10). */
export const WIDTHS = [1280, 390, 320] as const;

/** Of these two axe is asked, too: it takes most of the time, and phones differ little among themselves. */
const AXE_WIDTHS: readonly number[] = [1280, 320];

const ORIGIN = "https://gatehouse.test";

export async function openViewer(browser: Browser): Promise<Viewer> {
  const page = await browser.newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(`console: ${message.text()}`));
  page.on("dialog", (dialog) => said.push(`dialog: ${dialog.message()}`));
  const headers = pageHeaders({ script: scriptAddress(ORIGIN) });
  await page.route(`${ORIGIN}/**`, (route) => {
    const asset = Object.values(assets).find(({ href }) => route.request().url() === `${ORIGIN}${href}`);
    return asset
      ? route.fulfill({ contentType: asset.mediaType, body: asset.body })
      : route.fulfill({ contentType: "text/html; charset=utf-8", body: "", headers });
  });
  await page.goto(`${ORIGIN}/`);
  // Leaves axe in the tab, where it stays when the content is replaced.
  await new AxeBuilder({ page }).setLegacyMode().analyze();
  return {
    async findings(markup) {
      said.length = 0;
      const found: string[] = [];
      await page.setContent(markup);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          const seen = [
            ...(await overflowing(page)),
            ...(await tornWords(page)),
            ...(await lowTargets(page)),
            ...(AXE_WIDTHS.includes(width) ? await broken(page) : []),
          ];
          found.push(...seen.map((finding) => `${colorScheme} ${width} px: ${finding}`));
        }
      }
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        found.push(...(await spacedTextFindings(page)).map((finding) => `${width} px: ${finding}`));
      }
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        found.push(...(await overflowing(page)).map((finding) => `text at 200 %, ${width} px: ${finding}`));
      }
      await page.evaluate("document.documentElement.style.fontSize = ''");
      return [...found, ...(await longGrids(page)), ...said];
    },
    async pressableOnPaper(markup) {
      await page.setContent(markup);
      await page.emulateMedia({ media: "print" });
      try {
        const pressable = await page.locator("button, .button, nav a").filter({ visible: true }).allTextContents();
        return pressable.map((text) => text.trim());
      } finally {
        await page.emulateMedia({ media: null });
      }
    },
  };
}

const broken = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`axe.run(document, { resultTypes: ["violations", "incomplete"], rules: ${JSON.stringify(NAMED_RULES)} }).then(({ violations, incomplete }) =>
    [...violations, ...incomplete].map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`);

/** What is pressed and lower than 24 CSS pixels, links within sentences excepted (WCAG 2.2 §2.5.8). A label counts for its box. */
const lowTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll("a[href]:not(.skip), button, input:not([type=hidden])")]
    .filter((target) => [...target.parentElement.childNodes].every((other) => other === target || other.textContent.trim() === "" || other.nodeType === 1))
    .map((target) => target.closest("label") ?? target)
    .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 24)
    .map((target) => "lower than 24 px: " + target.outerHTML)`);

/** What a window of this width does not show, or shows cut off. */
const overflowing = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const sideways = scrollWidth > clientWidth ? ["scrolls sideways by " + (scrollWidth - clientWidth) + " px"] : [];
    const door = document.querySelector("main")?.getBoundingClientRect();
    const out = [...document.querySelectorAll("main *")].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (right > door.right + 1 || left < door.left - 1);
    });
    return [...sideways, ...out.map((element) => "stands out: " + element.outerHTML)];
  })()`);
