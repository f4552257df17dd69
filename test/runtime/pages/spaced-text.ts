import type { Page } from "playwright-core";

const SPACING =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }";

/**
 * What a page loses where a person spaces lines, paragraphs, letters and words as far as WCAG 2.2 §1.4.12 names: sideways scrolling, and
 * what is cut off by the box around it. Empty when nothing is lost. The page is afterwards as it was.
 */
export const spacedTextFindings = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(SPACING)});
    document.adoptedStyleSheets = [sheet];
    const { scrollWidth, clientWidth } = document.documentElement;
    const sideways = scrollWidth > clientWidth ? ["scrolls sideways by " + (scrollWidth - clientWidth) + " px"] : [];
    const cutOff = [...document.querySelectorAll("body *:not(input, .heard)")].filter((box) =>
      box.clientWidth > 0 && getComputedStyle(box).overflow.split(" ").some((way) => way === "hidden" || way === "clip") &&
      (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1));
    document.adoptedStyleSheets = [];
    return [...sideways, ...cutOff.map((box) => "cut off: <" + box.localName + " class=" + box.className + ">")]
      .map((finding) => "spaced text: " + finding);
  })()`);
