import type { Page } from "playwright-core";

/** CSS pixels of A4 with margins of a centimetre, upright. */
const SHEET = { width: 718, height: 1046 };

/**
 * The grids and flexible boxes of an open page that are longer than a sheet of paper. Firefox cuts them at its end,
 * through a line of letters. The page is afterwards as it was.
 */
export async function longGrids(page: Page): Promise<readonly string[]> {
  const window = page.viewportSize();
  await page.setViewportSize(SHEET);
  await page.emulateMedia({ media: "print" });
  try {
    return await page.evaluate(`[...document.querySelectorAll("body, body *")]
      .filter((box) => /grid|flex/.test(getComputedStyle(box).display) && box.offsetHeight > ${SHEET.height})
      .map((box) => "a grid on paper longer than a sheet: " + box.localName + "." + box.className)`);
  } finally {
    await page.emulateMedia({ media: null });
    if (window !== null) await page.setViewportSize(window);
  }
}
