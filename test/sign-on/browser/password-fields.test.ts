import { LANGUAGES } from "../../../src/sign-on/texts/languages.ts";
import { samplePages } from "../sample-pages.ts";

const PAGES = LANGUAGES.flatMap((texts) => Object.values(samplePages(texts)));

/** The fields that a person types into. */
const typedInto = PAGES.flatMap((markup) => markup.match(/<input [^>]*type="(?:text|password)"[^>]*>/g) ?? []).filter(
  (field) => !field.includes(" hidden"),
);

it.each(['autocapitalize="none"', 'autocorrect="off"', 'spellcheck="false"', 'writingsuggestions="false"'])(
  "a field for an address or a password, which is one of text while it is shown, takes what is typed as it is: %s",
  (attribute) => {
    expect(typedInto.filter((field) => !field.includes(attribute))).toEqual([]);
    expect(typedInto.length).toBeGreaterThan(PAGES.length / 4);
  },
);
