import { emailKey, isEmailAddress } from "../../../src/runtime/basis/email-address.ts";

describe("comparing e-mail addresses (R-D2)", () => {
  it.each([
    ["ines@example.com", "ines@example.com"],
    ["  Ines.Okafor@Example.COM\t", "ines.okafor@example.com"],
    ["ÅSA@BÜCHER.example", "åsa@bücher.example"],
    ["A\u030aSA@BU\u0308CHER.example", "\u00e5sa@b\u00fccher.example"],
  ])("%p is compared as %p", (email, key) => {
    expect(emailKey(email)).toBe(key);
  });

  it("compares each letter alike however it is composed", () => {
    const letters = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    const composed = letters.filter((letter) => letter !== letter.normalize("NFD"));
    expect(composed.length).toBeGreaterThan(10_000);
    expect(composed.filter((letter) => emailKey(letter) !== emailKey(letter.normalize("NFD")))).toEqual([]);
  });
});

describe("the syntax of an e-mail address (R-D2)", () => {
  it.each([
    "ines@example.com",
    "Ines.Okafor+payroll@sub.example.co",
    "o'neil_{x}@example.com",
    "åsa@bücher.example",
    "用户@例子.广告",
    `${"a".repeat(64)}@example.com`,
  ])("takes %p", (email) => {
    expect(isEmailAddress(email)).toBe(true);
  });

  it.each([
    "",
    "ines",
    "@example.com",
    "ines@",
    "ines@localhost",
    "ines@@example.com",
    "ines@example.com@example.com",
    "ines okafor@example.com",
    "ines@exa mple.com",
    "ines@example..com",
    ".ines@example.com",
    "ines.@example.com",
    "ines@-example.com",
    "ines@example.com\r\nbcc: x@example.com",
    "ines\0@example.com",
    '"ines"@example.com',
    "ines@[127.0.0.1]",
    "<ines@example.com>",
    `${"a".repeat(65)}@example.com`,
    `ines@${"a".repeat(64)}.com`,
    `ines@${"a.".repeat(150)}com`,
    "ines\ud800@example.com",
    // Not shown, so that two people look as one.
    "ines\u3164@example.com",
    "ines\u034f@example.com",
    "ines@ex\uffa0ample.com",
    "ines@example\ufe0f.com",
    // A Greek question mark, which is a semicolon in NFC.
    "ines\u037eokafor@example.com",
  ])("refuses %p", (email) => {
    expect(isEmailAddress(email)).toBe(false);
  });

  it("is that of the form by which it is compared, too", () => {
    const letters = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => `ines${String.fromCodePoint(code)}@example.com`);
    const taken = letters.filter(isEmailAddress);
    expect(taken.length).toBeGreaterThan(100_000);
    // Most are their own form, and taken.
    const forms = taken.map(emailKey).filter((form, index) => form !== taken[index]);
    expect(forms.length).toBeGreaterThan(1_000);
    expect(forms.filter((form) => !isEmailAddress(form))).toEqual([]);
  });

  it("is decided quickly for a hostile text", () => {
    expect(isEmailAddress(`${"a.".repeat(100_000)}@`)).toBe(false);
  });
});
