import { en, type Texts } from "../../../src/sign-on/texts/en.ts";

describe("texts", () => {
  it("give every reason a title, a cause and an advice", () => {
    const incomplete = Object.entries(en.errorPage.reasons).filter(
      ([, { title, causes, advice }]) =>
        [title, advice, ...causes].some((text) => text.trim() === "") || causes.length === 0,
    );
    expect(incomplete).toEqual([]);
  });

  it("do not compile in a second language with a sentence missing", () => {
    const { submit, ...login } = en.login;
    // @ts-expect-error `submit` is missing.
    const german: Texts = { ...en, language: "de", login };
    expect([german.language, submit]).toEqual(["de", "Sign in"]);
  });
});
