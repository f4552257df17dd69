import type { Page } from "playwright-core";

/** Hyphenated words of the page's headings, and marks, that begin on one line and end on another. */
export const tornWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const torn = [];
    for (const heading of document.querySelectorAll("h1")) {
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
        for (const { 0: word, index } of text.data.matchAll(/[\\w’]+(?:-[\\w’]+)+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (range.getClientRects().length > 1) torn.push("torn in a heading: " + word);
        }
    }
    for (const mark of document.querySelectorAll(".mark"))
      if (mark.getClientRects().length > 1) torn.push("torn mark: " + mark.textContent);
    return torn;
  })()`);
