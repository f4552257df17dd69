import { html } from "#runtime/pages/html.ts";
import { wholeWords } from "#runtime/pages/whole-words.ts";

describe("words of a heading", () => {
  it.each([
    ["This sign-in has ended", 'This <span class="whole">sign-in</span> has ended'],
    ["When a sign-in fails", 'When a <span class="whole">sign-in</span> fails'],
    ["This link is not valid", "This link is not valid"],
    ["Sign in - or out", "Sign in - or out"],
    ["<b>a-b</b>", '<span class="whole">&lt;b&gt;a-b&lt;/b&gt;</span>'],
  ])("are whole where they have a hyphen: %s", (text, markup) => {
    expect(html`${wholeWords(text)}`.toString()).toBe(markup);
  });
});
