import { breakableAddress } from "#runtime/pages/breakable-address.ts";
import { html } from "#runtime/pages/html.ts";
import { HOSTILE_TEXTS } from "./skeleton.ts";

describe("an address that needs several lines", () => {
  it.each([
    ["maren@example.com", "maren@example.com"],
    [
      "maren.dahl@nordlicht.example",
      '<span class="whole">maren<wbr>.dahl@</span><wbr><span class="whole">nordlicht<wbr>.example</span>',
    ],
    ["jonas@nordlicht.example", "jonas@nordlicht.example"],
    [
      "WWWWWWWWW@MMMMMM.example",
      '<span class="whole">WWWWWWWWW@</span><wbr><span class="whole">MMMMMM<wbr>.example</span>',
    ],
    [
      "丹羽丹羽丹羽@日本語日本語.example",
      '<span class="whole">丹羽丹羽丹羽@</span><wbr><span class="whole">日本語日本語<wbr>.example</span>',
    ],
    ["https://payroll.example", "https://payroll.example"],
    [
      "maren.dahl-holm@nordlicht-reederei.example",
      '<span class="whole">maren<wbr><span class="whole">.dahl-holm@</span></span><wbr><span class="whole">nordlicht-reederei</span><wbr>.example',
    ],
    ["https://payroll.nordlicht.example:8443", "https://payroll<wbr>.nordlicht<wbr>.example:8443"],
    ["no address, whatever its length.may be", "no address, whatever its length.may be"],
    ["a.word.without.scheme.and.at.sign", "a.word.without.scheme.and.at.sign"],
  ])("breaks behind its at sign and before dots if it is long: %s", (text, markup) => {
    expect(html`${breakableAddress(text)}`.toString()).toBe(markup);
  });

  it.each(HOSTILE_TEXTS)("is escaped: %.40j", (text) => {
    const markup = html`${breakableAddress(`${text}@a-long-name-of-a-company.example`)}`.toString();
    expect(markup).not.toMatch(/<(?!wbr>|span class="whole">|\/span>)/);
  });
});
