import { covers, hasStraySpace, parseScopes, SCOPES } from "../../../src/sign-on/claims/scopes.ts";

describe("scopes (R-S8, RFC 6749 §3.3)", () => {
  it.each([
    ["openid", ["openid"]],
    ["openid profile email offline_access", ["openid", "profile", "email", "offline_access"]],
    ["offline_access email profile openid", ["openid", "profile", "email", "offline_access"]],
    ["email openid email", ["openid", "email"]],
    ["offline_access", ["offline_access"]],
  ])("reads %j, each once and in one order", (text, scopes) => {
    expect(parseScopes(text)).toEqual(scopes);
  });

  it.each([
    ...["", " ", " openid", "openid ", "openid  email", "openid\temail", "openid\nemail", "openid,email"],
    ...["OpenID", "openid address", "openid\u00a0email", "openid\u0000", "toString", "__proto__"],
    ...["length"],
  ])("refuses %j", (text) => {
    expect(parseScopes(text)).toBeUndefined();
  });

  it.each([
    ["", false],
    ["openid", false],
    ["openid email", false],
    ["openid\temail", false],
    [" ", true],
    [" openid", true],
    ["openid ", true],
    ["openid  email", true],
  ])("says whether a space of %j separates no two names: %s", (text, stray) => {
    expect(hasStraySpace(text)).toBe(stray);
  });

  it.each<[readonly string[], readonly string[], boolean]>([
    [SCOPES, ["openid"], true],
    [["openid", "email"], ["email", "openid"], true],
    [["openid"], [], true],
    [[], [], true],
    [["openid"], ["openid", "email"], false],
    [[], ["openid"], false],
  ])("%j covers %j: %j", (whole, part, expected) => {
    expect(covers(whole, part)).toBe(expected);
  });
});
