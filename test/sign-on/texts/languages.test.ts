import fc from "fast-check";
import { LANGUAGE_TAGS, textsForAcceptLanguage, textsForLocales } from "../../../src/sign-on/texts/languages.ts";

describe("ui_locales (OIDC Core §3.1.2.1), looked up as RFC 4647 §3.4 does", () => {
  it.each([
    ["de", "de"],
    ["en", "en"],
    ["DE", "de"],
    ["de-AT", "de"],
    ["de-Latn-DE-1996", "de"],
    ["de-x-werk", "de"],
    ["de-DE-u-co-phonebk", "de"],
    ["fr de en", "de"],
    ["fr en de", "en"],
    ["fr-CA fr en-GB", "en"],
    ["  de", "de"],
    ["se", undefined],
    ["", undefined],
    ["*", undefined],
    ["* de", "de"],
    ["deu", undefined],
    ["de_DE", undefined],
    ["de,en", undefined],
    ["__proto__ constructor", undefined],
    [`${"fr ".repeat(32)}de`, undefined],
    [`${"f".repeat(2_000)} de`, undefined],
  ])("%j is %s", (uiLocales, language) => {
    expect(textsForLocales(uiLocales)?.language).toBe(language);
  });
});

describe("Accept-Language (RFC 9110 §12.5.4)", () => {
  it.each([
    ["de-DE,de;q=0.9,en;q=0.8", "de"],
    ["en-US,en;q=0.9,de;q=0.8", "en"],
    ["en;q=0.5, de", "de"],
    ["en;q=0.5, de;q=0.501", "de"],
    ["fr;q=1, de;q=0.3, en;q=0.3", "de"],
    ["de;q=0, en;q=0.001", "en"],
    ["de;q=0", undefined],
    ["de ; q=0.5 , en ; Q=0.7", "en"],
    ["fr, *", undefined],
    ["", undefined],
    [",,, de ,", "de"],
    ["de;q=2, en;q=0.1", "en"],
    ["de;q=0.1234, en;q=0.1", "en"],
    ["de;q=, en;q=0.1", "en"],
    ["de;level=1, en;q=0.1", "en"],
    ["\u0000de", undefined],
    [`${"fr,".repeat(32)}de`, undefined],
  ])("%j is %s", (header, language) => {
    expect(textsForAcceptLanguage(header)?.language).toBe(language);
  });
});

describe("whatever is wished", () => {
  const wish = fc.oneof(
    fc.string({ maxLength: 3_000, size: "max" }),
    fc.string({ unit: fc.constantFrom(..."de-EN,;q=0.51* "), maxLength: 200, size: "max" }),
  );

  it("is one of our languages or none", () => {
    fc.assert(
      fc.property(wish, (text) => {
        const found = [textsForLocales(text), textsForAcceptLanguage(text)].map((texts) => texts?.language);
        expect([...LANGUAGE_TAGS, undefined]).toEqual(expect.arrayContaining(found));
      }),
    );
  });

  it("a supported language that comes first is picked, by either way, with any region", () => {
    const region = fc.stringMatching(/^(-[A-Z]{2}|-[0-9]{3})?$/);
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGE_TAGS), region, fc.constantFrom(...LANGUAGE_TAGS), (first, at, second) => {
        expect(textsForLocales(`${first}${at} ${second}`)?.language).toBe(first);
        expect(textsForAcceptLanguage(`${second};q=0.9,${first}${at}`)?.language).toBe(first);
      }),
    );
  });

  it("equal weights keep their order, and a heavier one goes before", () => {
    const weight = fc.integer({ min: 1, max: 1_000 }).map((thousandths) => thousandths / 1_000);
    fc.assert(
      fc.property(weight, weight, (german, english) => {
        const picked = textsForAcceptLanguage(`de;q=${german},en;q=${english}`)?.language;
        expect(picked).toBe(german >= english ? "de" : "en");
      }),
    );
  });
});
