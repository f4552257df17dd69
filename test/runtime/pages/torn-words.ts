import type { Page } from "playwright-core";

/**
 * Words of the page's headings (in a name anything may be long), single letters with a hyphen and what follows, as in
 * E-Mail, names of an e-mail address that would fit a line, and marks, that begin on one line and end on another.
 */
export const tornWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const torn = [];
    const look = (element, words, where) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        if (text.parentElement.closest("bdi") !== element.closest("bdi")) continue;
        for (const { 0: word, index } of text.data.matchAll(words)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (range.getClientRects().length > 1) torn.push("torn in " + where + ": " + word);
        }
      }
    };
    for (const heading of document.querySelectorAll("h1")) look(heading, /[\\p{L}\\d’-]+/gu, "a heading");
    for (const text of document.querySelectorAll("p, li, label, legend, button, a, h1, h2, h3"))
      look(text, /(?<![\\p{L}\\d-])\\p{L}-\\u2060?\\p{L}+/gu, "a sentence");
    for (const address of document.querySelectorAll("bdi"))
      if (address.textContent.includes("@")) look(address, /(?<![^.@])[^.@]{1,20}(?![^.@])/g, "an address");
    for (const mark of document.querySelectorAll(".mark"))
      if (mark.getClientRects().length > 1) torn.push("torn mark: " + mark.textContent);
    return torn;
  })()`);
