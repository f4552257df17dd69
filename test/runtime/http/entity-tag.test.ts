import { matchesEntityTag, passesIfMatch } from "../../../src/runtime/http/entity-tag.ts";

describe("If-None-Match (RFC 9110 §13.1.2)", () => {
  it.each([
    ["the tag", '"a"'],
    ["a weak one", 'W/"a"'],
    ["one of several", '"x", W/"y","a"'],
    ["any", "*"],
    ["any, with spaces", " * "],
  ])("matches %s", (_, header) => {
    expect(matchesEntityTag(header, '"a"')).toBe(true);
  });

  it.each([
    ["nothing", undefined],
    ["an empty text", ""],
    ["another tag", '"b"'],
    ["no quotes", "a"],
    ["other letters", '"A"'],
    ["the mark of a weak one within", '"W/a"'],
    ["a list that is none", ["a"]],
  ])("does not match %s", (_, header) => {
    expect(matchesEntityTag(header, '"a"')).toBe(false);
  });
});

describe("If-Match (RFC 9110 §13.1.1)", () => {
  it.each([
    ["no header", undefined],
    ["the tag", '"a"'],
    ["one of several", '"x", W/"y","a"'],
    ["any", "*"],
    ["any, with spaces", " * "],
  ])("is true for %s", (_, header) => {
    expect(passesIfMatch(header, '"a"')).toBe(true);
  });

  it.each([
    ["a weak tag: it is compared strongly", 'W/"a"'],
    ["another tag", '"b"'],
    ["an empty list", ""],
    ["no quotes", "a"],
    ["a list that is none", ["a"]],
  ])("is false for %s", (_, header) => {
    expect(passesIfMatch(header, '"a"')).toBe(false);
  });
});
