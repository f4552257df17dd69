import { toFailure, toStatus } from "../../../src/runtime/rpc/status.ts";
import { oauthRefusal } from "../../../src/sign-on/browser/oauth-error.ts";
import { isAuthorizationRefusal, pageRefusal, quoted, refuse } from "../../../src/sign-on/refusals/refused.ts";

describe("a refusal", () => {
  it("has the error code and sentence of its check, and its name", () => {
    expect(refuse("code.expired")).toMatchObject({
      check: "code.expired",
      error: "invalid_grant",
      sentence: "The authorization code has expired.",
      code: "FAILED_PRECONDITION",
      detail: undefined,
    });
  });

  it("has the values of its sentence and of its detail", () => {
    const { sentence } = refuse("parameter.too_long", { name: "state", most: 2_048 });
    expect(sentence).toBe("The parameter state is longer than 2048 characters.");
    expect(refuse("access_token.invalid", { reason: "ERR_{reason}" }).detail).toBe("ERR_{reason}");
  });

  it.each([
    ["foo", "`foo`"],
    ["", "``"],
    ['a"b\\c`d', "`a?b?c?d`"],
    ["é\n\u0000\u202e", "`????`"],
    ["s".repeat(40), `\`${"s".repeat(40)}\``],
    ["s".repeat(41), `\`${"s".repeat(40)}...\``],
  ])("quotes %j bounded, in the characters of RFC 6749 §5.2", (value, text) => {
    expect(quoted(value)).toBe(text);
    expect(refuse("scope.unknown", { scope: quoted(value) }).sentence).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it("does not compile without a row for its check, or without the values of its sentence", () => {
    // @ts-expect-error: the catalogue has no such check.
    expect(() => refuse("code.gone")).toThrow(TypeError);
    // @ts-expect-error: the sentence names a parameter.
    expect(refuse("parameter.missing").sentence).toContain("undefined");
    // @ts-expect-error: the check has no sentence; it refuses by a page.
    expect(() => refuse("interaction.gone")).toThrow(TypeError);
    // @ts-expect-error: the check has a sentence; it refuses by no page.
    expect(pageRefusal("code.expired").error).toBe("");
  });

  it("crosses gRPC with its sentence, without its detail and its check (R-X122)", () => {
    const arrived = toFailure(toStatus(refuse("application.secret_wrong")));
    expect(oauthRefusal(arrived)).toEqual({
      code: "invalid_client",
      description: "Authentication of the application failed.",
    });
    expect([arrived.detail, arrived.check]).toEqual([undefined, undefined]);
  });

  it("may be brought to the redirect URI where authorization responses have its code (R-S14)", () => {
    expect(isAuthorizationRefusal(refuse("session.missing"))).toBe(true);
    expect(isAuthorizationRefusal(refuse("code.expired"))).toBe(false);
    expect(isAuthorizationRefusal(toFailure(toStatus(refuse("scope.missing"))))).toBe(false);
  });
});
