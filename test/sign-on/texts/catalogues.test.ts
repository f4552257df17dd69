import { en, type Texts } from "../../../src/sign-on/texts/en.ts";
import { LANGUAGES } from "../../../src/sign-on/texts/languages.ts";
import { samplePages } from "../sample-pages.ts";

/** The form of a value that distinguishes it from the words around it. */
const SAMPLE = { min: 15, max: 1_024 };

/** Every sentence of a catalogue by its path; those with values in them as they read with samples. */
function sentencesOf(part: unknown, path = ""): readonly (readonly [path: string, sentence: string])[] {
  if (typeof part === "string") return [[path, part]];
  if (typeof part === "function") {
    const made: unknown = part(argumentOf(path), "Linux");
    return [[path, Array.isArray(made) ? made.join("") : String(made)]];
  }
  return Object.entries(part as object).flatMap(([name, value]) => sentencesOf(value, `${path}/${name}`));
}

const argumentOf = (path: string) =>
  path.startsWith("/passwordFlaws") ? SAMPLE : /wait$|rules$/.test(path) ? 90 : "Firefox";

/** The words that a person sees or hears on a page, without the contents of elements for values and names. */
const wordsOf = (markup: string): readonly string[] =>
  markup
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, "")
    .replace(/<(bdi|code|time)[^>]*>.*?<\/\1>/gs, "<>")
    .replace(/<span>Gatehouse<\/span>/, "")
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter((text) => /\p{L}/u.test(text));

const [, ...others] = LANGUAGES;

it("the words of a page are what a person sees or hears, without names", () => {
  const page = samplePages(en)["login that must wait"] ?? "";
  expect(wordsOf(page)).toEqual([
    "Not signed in · Gatehouse",
    "Sign in",
    "to continue to",
    "Too many failed sign-ins. Wait 11 minutes, then try again.",
    "E-mail address",
    "Password",
    "Show password",
    "Sign in",
    "Forgotten your password? Contact the administrator of your company. Give this reference:",
    "You are giving your password to Gatehouse.",
    "never sees it.",
  ]);
});

describe.each(LANGUAGES.map((texts): [string, Texts] => [texts.language, texts]))("the catalogue %s", (_, texts) => {
  it("has words in every sentence, and a cause for every error", () => {
    const wordless = sentencesOf(texts).filter(([, sentence]) => !/\p{L}/u.test(sentence) || sentence.includes("  "));
    expect(wordless).toEqual([]);
    const causeless = Object.entries(texts.errorPage.reasons).filter(([, { causes }]) => causes.length === 0);
    expect(causeless).toEqual([]);
  });
});

describe.each(others.map((texts): [string, Texts] => [texts.language, texts]))("the catalogue %s", (_, texts) => {
  it("has no sentence of English left in it", () => {
    const english = new Map(sentencesOf(en));
    const same = sentencesOf(texts).filter(([path, sentence]) => english.get(path) === sentence);
    expect(same).toEqual([]);
  });

  it("has all words of all pages: every text except names differs from the English page", () => {
    const english = samplePages(en);
    const left = Object.entries(samplePages(texts)).flatMap(([name, markup]) => {
      const before = new Set(wordsOf(english[name] ?? ""));
      return wordsOf(markup).filter((words) => before.has(words));
    });
    expect(left).toEqual([]);
  });
});
