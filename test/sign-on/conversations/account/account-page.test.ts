import { LANGUAGES } from "../../../../src/sign-on/texts/languages.ts";
import { samplePages } from "../../sample-pages.ts";

const titleOf = (markup = "") => /<title>(.*)<\/title>/.exec(markup)?.[1];

describe.each(LANGUAGES.map((texts) => [texts.language, texts] as const))(
  "the title, which a screen reader says first, in %s",
  (_, texts) => {
    const pages = samplePages(texts);

    it("says what was done just now", () => {
      expect(titleOf(pages.account)).toBe(`${texts.account.title} · Gatehouse`);
      expect(titleOf(pages["account after a change"])).toBe(
        `${texts.account.done.access.title} · ${texts.account.title} · Gatehouse`,
      );
    });

    it("says that the person is not signed in, whose form has changed nothing", () => {
      expect(titleOf(pages["account sign-in after a form that changed nothing"])).toBe(
        `${texts.login.titleRefused} · Gatehouse`,
      );
    });
  },
);
