import type { Page } from "playwright-core";

/**
 * Hyphenated words of the page's headings, names of an e-mail address that would fit a line, and marks, that begin on
 * one line and end on another.
 */
export const tornWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const torn = [];
    const look = (element, words, where) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
        for (const { 0: word, index } of text.data.matchAll(words)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (range.getClientRects().length > 1) torn.push("torn in " + where + ": " + word);
        }
    };
    for (const heading of document.querySelectorAll("h1")) look(heading, /[\\w’]+(?:-[\\w’]+)+/g, "a heading");
    for (const address of document.querySelectorAll("bdi"))
      if (address.textContent.includes("@")) look(address, /(?<![^.@])[^.@]{1,20}(?![^.@])/g, "an address");
    for (const mark of document.querySelectorAll(".mark"))
      if (mark.getClientRects().length > 1) torn.push("torn mark: " + mark.textContent);
    return torn;
  })()`);
