import { Marked, type Token, type Tokens } from "marked";
import { codeBox } from "../../src/portal/frame/code-box.ts";
import { languageWord } from "../../src/portal/frame/language-chooser.ts";
import { type GuideHeading, type GuideSection, WRITTEN } from "../../src/portal/guides/published-guides.ts";
import { blockProblem, LANGUAGES, type Language, languageOf, readInfo } from "./code-blocks.ts";
import { type LinkTargets, resolveLink } from "./link-targets.ts";

/** A guide as it is served, without the frame of the page. */
export interface DrawnGuide {
  readonly title: string;
  readonly summary: string;
  readonly headings: readonly GuideSection[];
  readonly languages: readonly Language[];
  /** Markup of everything below title and summary. */
  readonly body: string;
  /** What is wrong with the Markdown, each in a few words; empty when nothing is. */
  readonly problems: readonly string[];
}

/**
 * The places where code within a sentence may be broken, each empty. An address that a server replaces by its own is a
 * match too, as a whole: with a mark inside it would not be found.
 */
const BREAKABLE = new RegExp(
  `${Object.values(WRITTEN).join("|").replaceAll(".", "\\.")}|(?<=\\w[_/.?]|[}…]\\/)(?=[\\w{])`,
  "g",
);

interface Outline {
  readonly title: string;
  readonly summary: string;
  /** With those of languages. */
  readonly headings: readonly GuideHeading[];
  /** Everything below the summary. */
  readonly rest: readonly Token[];
}

const lexer = new Marked();
const isHeading = (token: Token | undefined): token is Tokens.Heading => token?.type === "heading";

/** Title, summary and headings; a guide begins with a title and one paragraph that says what one has at its end. */
export function outlineOf(markdown: string): Outline {
  const tokens = lexer.lexer(markdown).filter(({ type }) => type !== "space");
  const [title, summary, ...rest] = tokens;
  return {
    title: isHeading(title) && title.depth === 1 ? title.text : "",
    summary: summary?.type === "paragraph" ? plain((summary as Tokens.Paragraph).tokens).replaceAll("\n", " ") : "",
    headings: headingsOf(rest.filter(isHeading)),
    rest,
  };
}

function headingsOf(headings: readonly Tokens.Heading[]): readonly GuideHeading[] {
  let section = "";
  return headings.map(({ tokens, depth }) => {
    const text = plain(tokens);
    if (languageOf(text) !== undefined) return { id: `${section}-${slug(text)}`, text, depth };
    section = slug(text);
    return { id: section, text, depth };
  });
}

/** Each section with its words, as a search finds it. */
function sectionsOf(rest: readonly Token[], headings: readonly GuideHeading[]): readonly GuideSection[] {
  const isSection = (token: Token) => isHeading(token) && languageOf(plain(token.tokens)) === undefined;
  const starts = rest.flatMap((token, index) => (isSection(token) ? [index] : []));
  return headings
    .filter(({ text }) => languageOf(text) === undefined)
    .map((heading, index) => {
      const within = rest.slice((starts[index] ?? 0) + 1, starts[index + 1]).filter((token) => !isHeading(token));
      const [first] = within.filter(({ type }) => type !== "code" && type !== "space");
      const says = first === undefined || first.type === "table" ? "" : wordsOf(first);
      return { ...heading, says, words: within.map(wordsOf).filter(Boolean).join(" ") };
    });
}

/** What a token says, without programs. */
function wordsOf(token: Token): string {
  if (token.type === "code" || token.type === "html" || token.type === "space") return "";
  if (token.type === "list")
    return (token as Tokens.List).items
      .flatMap(({ tokens }) => tokens.map(wordsOf))
      .filter(Boolean)
      .join(" ");
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map(({ tokens }) => plain(tokens)).join(" ")).join(" ");
  }
  return plain("tokens" in token ? token.tokens : []).replaceAll("\n", " ");
}

const plain = (tokens: readonly Token[] = []): string =>
  tokens.map((token) => ("tokens" in token ? plain(token.tokens) : "text" in token ? token.text : token.raw)).join("");

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Draws a guide. Sections whose headings are languages become a choice (R-X190). */
export function drawGuide(name: string, markdown: string, targets: LinkTargets): DrawnGuide {
  const { title, summary, headings, rest } = outlineOf(markdown);
  const problems: string[] = [];
  if (title === "") problems.push("does not begin with a title");
  if (summary === "") problems.push("has no paragraph below its title");
  for (const [id, same] of Map.groupBy(headings, (heading) => heading.id))
    if (same.length > 1) problems.push(`has ${same.length} headings with the id ${id}`);

  let next = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const { id = "" } = headings[next++] ?? {};
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang = "" }) {
        const info = readInfo(lang);
        const problem =
          info === undefined
            ? "has an info string that cannot be read"
            : blockProblem({ ...info, text, language: undefined });
        if (problem !== undefined) problems.push(`a block (${lang}) ${problem}`);
        const file = info?.file;
        const caption = file === undefined ? "" : `<figcaption>${escaped(file)}</figcaption>`;
        const kind = info?.syntax === "sh" ? ' class="command"' : "";
        return `<figure${kind}>${caption}${codeBox(file ?? (kind === "" ? "Code" : "Command"), text)}</figure>\n`;
      },
      codespan({ text }) {
        // A flag is whole: a line that ended at one of its hyphens would read as if it were two.
        const whole = escaped(text).replaceAll(/(?<![\w-])--[a-z]+(?:-[a-z]+)*/g, '<span class="flag">$&</span>');
        return `<code>${whole.replaceAll(BREAKABLE, (found) => found || "<wbr>")}</code>`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = resolveLink(href, name, targets);
        if ("problem" in target) problems.push(target.problem);
        if ("href" in target) return `<a href="${escaped(target.href)}">${text}</a>`;
        return "file" in target ? `${text} (<code>${escaped(target.file)}</code> in the source)` : text;
      },
      image({ href }) {
        problems.push(`shows an image (${href}), and guides have none`);
        return "";
      },
      html({ text }) {
        if (!/^<!--[\s\S]*-->\s*$/.test(text)) problems.push(`has markup of its own: ${text.trim().slice(0, 60)}`);
        return "";
      },
    },
  });
  const body = bySections(rest, (tokens) => marked.parser([...tokens]));
  const languages = LANGUAGES.filter((language) => headings.some(({ text }) => text === language));
  return { title, summary, headings: sectionsOf(rest, headings), languages, body, problems };
}

/** Draws section by section: what follows the heading of a language up to the next heading is one choice. */
function bySections(tokens: readonly Token[], draw: (tokens: readonly Token[]) => string): string {
  const pieces: string[] = [];
  let group: { language: string; markup: string }[] = [];
  const endGroup = () => {
    if (group.length === 0) return;
    const languages = group.map(({ language }) => languageWord(language)).join(" ");
    const choices = group.map(
      ({ language, markup }) => `<section class="language ${languageWord(language)}">\n${markup}</section>\n`,
    );
    pieces.push(`<div class="languages-of ${languages}">\n${choices.join("")}</div>\n`);
    group = [];
  };
  let from = 0;
  while (from < tokens.length) {
    const later = tokens.findIndex((token, index) => index > from && isHeading(token));
    const to = later === -1 ? tokens.length : later;
    const [first] = tokens.slice(from, to);
    const language = isHeading(first) ? languageOf(first.text) : undefined;
    if (language === undefined) endGroup();
    const markup = draw(tokens.slice(from, to));
    if (language === undefined) pieces.push(markup);
    else group.push({ language, markup });
    from = to;
  }
  endGroup();
  return pieces.join("");
}
