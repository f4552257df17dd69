import { parseLogoutRequest } from "../../../../src/sign-on/conversations/logout/logout-request.ts";

const of = (...pairs: readonly (readonly [string, string])[]) =>
  parseLogoutRequest(pairs.map(([name, value]) => ({ name, value })));
const NOTHING = {
  idTokenHint: undefined,
  applicationId: undefined,
  postLogoutRedirectUri: undefined,
  state: undefined,
};
const KNOWN = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state", "logout_hint", "ui_locales"];

describe("the parameters of a request for sign-out (RP-Initiated Logout 1.0 §2)", () => {
  it("all of them", () => {
    expect(
      of(
        ["state", "s"],
        ["client_id", "app_a"],
        ["post_logout_redirect_uri", "https://a.example/"],
        ["id_token_hint", "a.b.c"],
        ["logout_hint", "maren"],
        ["ui_locales", "en"],
      ),
    ).toEqual({
      idTokenHint: "a.b.c",
      applicationId: "app_a",
      postLogoutRedirectUri: "https://a.example/",
      state: "s",
    });
  });

  it("none of them, and unknown ones, repeated or not", () => {
    expect(of()).toEqual(NOTHING);
    expect(of(["x", "1"], ["x", "2"], ["__proto__", "a"], ["constructor", "b"], ["constructor", "c"])).toEqual(NOTHING);
  });

  it("one without a value counts as absent, except an empty state (R-X25)", () => {
    expect(of(...KNOWN.map((name) => [name, ""] as const))).toEqual({ ...NOTHING, state: "" });
  });

  it.each(KNOWN)("%s twice is refused, also when both are the same or empty", (name) => {
    expect(of([name, "a"], [name, "a"])).toBeUndefined();
    expect(of([name, ""], ["x", "y"], [name, ""])).toBeUndefined();
  });

  it.each([
    ["id_token_hint", 65_536],
    ["client_id", 2_048],
    ["post_logout_redirect_uri", 2_048],
    ["state", 2_048],
    ["logout_hint", 2_048],
    ["ui_locales", 2_048],
  ])("%s may have %d characters and no more", (name, most) => {
    expect(of([name, "a".repeat(most)])).toBeDefined();
    expect(of([name, "a".repeat(most + 1)])).toBeUndefined();
    // Two UTF-16 units each.
    expect(of([name, "🙂".repeat(most)])).toBeDefined();
    expect(of([name, "🙂".repeat(most + 1)])).toBeUndefined();
  });
});
