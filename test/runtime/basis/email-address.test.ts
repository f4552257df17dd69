import { emailKey, isEmailAddress } from "../../../src/runtime/basis/email-address.ts";

describe("comparing e-mail addresses (R-D2)", () => {
  it.each([
    ["ines@example.com", "ines@example.com"],
    ["  Ines.Okafor@Example.COM\t", "ines.okafor@example.com"],
    ["ÅSA@BÜCHER.example", "åsa@bücher.example"],
  ])("%p is compared as %p", (email, key) => {
    expect(emailKey(email)).toBe(key);
  });
});

describe("the syntax of an e-mail address", () => {
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
  ])("refuses %p", (email) => {
    expect(isEmailAddress(email)).toBe(false);
  });

  it("is decided quickly for a hostile text", () => {
    expect(isEmailAddress(`${"a.".repeat(100_000)}@`)).toBe(false);
  });
});
