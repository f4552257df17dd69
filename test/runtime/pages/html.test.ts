import fc from "fast-check";
import { html, type Slot } from "#runtime/pages/html.ts";

const inText = (slot: Slot) => html`<p>${slot}</p>`.toString().slice("<p>".length, -"</p>".length);
const inValue = (slot: Slot) => html`<p title="${slot}">`.toString().slice('<p title="'.length, -'">'.length);
const inSingleQuotes = (slot: Slot) => html`<p title='${slot}'>`.toString().slice("<p title='".length, -"'>".length);

/** What a browser reads: the five references that we write, and nothing else. */
const read = (markup: string) =>
  markup.replace(/&(amp|lt|gt|quot|#39);/g, (reference) => CHARACTERS[reference] ?? reference);

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

describe("html: escaping", () => {
  it.each<[string, Slot, string]>([
    ["text", "a < b & c > d", "a &lt; b &amp; c &gt; d"],
    ["both quotes", `"it's"`, "&quot;it&#39;s&quot;"],
    ["what is escaped already, once more", "&amp;", "&amp;amp;"],
    ["an empty text", "", ""],
    ["a number", 0, "0"],
    ["null", null, ""],
    ["undefined", undefined, ""],
    ["false", false, ""],
    ["a list, joined without a separator", ["a", "<", 1, null], "a&lt;1"],
    ["lists in lists", [["<"], [[">"]]], "&lt;&gt;"],
    ["text that looks like our markup", String(html`<b>`), "&lt;b&gt;"],
  ])("writes %s", (_, slot, expected) => {
    expect([inText(slot), inValue(slot), inSingleQuotes(slot)]).toEqual([expected, expected, expected]);
  });

  it("passes markup between tags, alone and in lists", () => {
    expect(inText([html`<b>${"<"}</b>`, html`<i></i>`])).toBe("<b>&lt;</b><i></i>");
  });

  it("escapes an object that only pretends to be markup", () => {
    const pretender = { toString: () => "<script>" } as unknown as string;
    expect(inText(pretender)).toBe("&lt;script&gt;");
  });

  it("leaves no character of markup in any text or attribute, and loses none", () => {
    const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."<>&\"'=/ a;#3") }));
    fc.assert(
      fc.property(anyText, (text) => {
        for (const markup of [inText(text), inValue(text), inSingleQuotes(text)]) {
          expect(markup).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
          expect(read(markup)).toBe(text);
        }
      }),
    );
  });
});

describe("html: places", () => {
  it("accepts attributes as markup beside other attributes", () => {
    expect(String(html`<input ${html`required`} ${false} value="${"x"}">`)).toBe('<input required  value="x">');
  });

  it.each([
    ["text as an unquoted value", () => html`<input value=${"x onfocus=alert(1)"}>`],
    ["text beside attributes", () => html`<input ${"onfocus=alert(1)"}>`],
    ["text as the name of a tag", () => html`<${"script"}>`],
    ["text in a list beside attributes", () => html`<input ${["onfocus=alert(1)"]}>`],
    ["markup inside a quoted value", () => html`<input value="${html`"`}">`],
  ])("refuses %s", (_, template) => {
    expect(template).toThrow(TypeError);
  });

  it("recognizes a place again after quotes of the other kind", () => {
    expect(String(html`<p title="it's ${"<"}">it's ${"<"}</p>`)).toBe(`<p title="it's &lt;">it's &lt;</p>`);
  });
});
