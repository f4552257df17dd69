import type { Page } from "playwright-core";
import { longGrids } from "../../runtime/pages/long-grids.ts";

/** CSS pixels of A4 with margins of a centimetre, upright and across. */
const UPRIGHT = 718;
const ACROSS = 1046;

/** What is closed, by its summary, although nobody can open it on paper; answers after the first may be (R-X218). */
const CLOSED = `[...document.querySelectorAll("main details:not(.answer, .contents *) > :not(summary)")]
  .filter((inside) => !inside.checkVisibility() && inside.parentElement.checkVisibility())
  .map((inside) => "closed on paper: " + inside.parentElement.querySelector("summary").textContent.trim())`;

/**
 * What is wrong with an open page on paper: what is closed, what Firefox would cut, and whether it gets longer where the
 * paper is wider, as its text has the width of a menu that paper does not have. Empty when nothing is; the page is as
 * before afterwards.
 */
export async function paperFindings(page: Page): Promise<readonly string[]> {
  const window = page.viewportSize();
  const heightAt = async (width: number): Promise<number> => {
    await page.setViewportSize({ width, height: 800 });
    return Number(await page.evaluate("document.documentElement.scrollHeight"));
  };
  await page.emulateMedia({ media: "print" });
  try {
    const upright = await heightAt(UPRIGHT);
    const across = await heightAt(ACROSS);
    const closed = (await page.evaluate(CLOSED)) as readonly string[];
    const cut = await longGrids(page);
    const longer = across > upright ? [`longer on paper across: ${across} px, upright ${upright} px`] : [];
    return [...closed, ...longer, ...cut];
  } finally {
    await page.emulateMedia({ media: null });
    if (window !== null) await page.setViewportSize(window);
  }
}
