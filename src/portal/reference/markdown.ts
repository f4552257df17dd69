import { Lexer, type Token, type Tokens } from "marked";
import { type Html, html } from "#runtime/pages/html.ts";
import { codeBox } from "../frame/code-box.ts";

/**
 * The Markdown of a contract's sentences as markup: paragraphs, lists, code, emphasis and links to this origin. Tags in
 * the text are shown as text.
 */
export const prose = (markdown: string | undefined): readonly Html[] => blocks(Lexer.lex(markdown ?? ""));

/** Markdown as markup in two parts: the words of a first paragraph, for where no paragraph may be, and all that follows it. */
export function headAndRest(markdown: string | undefined): {
  readonly head: readonly (Html | string)[];
  readonly rest: readonly Html[];
} {
  const [first, ...more] = Lexer.lex(markdown ?? "");
  return first?.type === "paragraph"
    ? { head: inline((first as Tokens.Paragraph).tokens), rest: blocks(more) }
    : { head: [], rest: prose(markdown) };
}

const blocks = (tokens: readonly Token[]): readonly Html[] => tokens.flatMap(block);

function block(token: Token): readonly Html[] {
  switch (token.type) {
    case "space":
      return [];
    case "paragraph":
      return [html`<p>${inline((token as Tokens.Paragraph).tokens)}</p>\n`];
    case "list":
      return [
        html`<ul>${(token as Tokens.List).items.map((item) => html`<li>${item.tokens.flatMap(inItem)}</li>`)}</ul>\n`,
      ];
    case "code":
      return [html`${codeBox("Code", (token as Tokens.Code).text)}\n`];
    default:
      return [html`<p>${token.raw}</p>\n`];
  }
}

/** A list's items hold their sentences as text, without paragraphs. */
const inItem = (token: Token): readonly (Html | string)[] =>
  token.type === "text" ? inline((token as Tokens.Text).tokens ?? []) : block(token);

const inline = (tokens: readonly Token[]): readonly (Html | string)[] => tokens.map(word);

function word(token: Token): Html | string {
  switch (token.type) {
    case "codespan":
      return html`<code>${breakable((token as Tokens.Codespan).text)}</code>`;
    case "strong":
      return html`<strong>${inline((token as Tokens.Strong).tokens)}</strong>`;
    case "em":
      return html`<em>${inline((token as Tokens.Em).tokens)}</em>`;
    case "link": {
      const { href, tokens } = token as Tokens.Link;
      return href.startsWith("/") || href.startsWith("#") ? html`<a href="${href}">${inline(tokens)}</a>` : token.raw;
    }
    default:
      return "text" in token ? (token.text as string) : token.raw;
  }
}

/**
 * Text whose addresses and dotted names break after a slash or a dot and nowhere else: no word of them is torn, at a
 * hyphen neither.
 */
export const breakable = (text: string): readonly (Html | string)[] =>
  text
    .split(/(\s+)/)
    .flatMap((run) =>
      run
        .split(BREAKS)
        .flatMap((part, index) => [
          ...(index === 0 ? [] : [html`<wbr>`]),
          HYPHENATED.test(part) && part.length <= WHOLE_MAX ? html`<span class="whole">${part}</span>` : part,
        ]),
    );

/** After a slash, question mark or ampersand within an address, and after a dot between words. */
const BREAKS = /(?<=[\w}][/?&]|\w\.)(?=[\w{])/;
const HYPHENATED = /\w-\w/;
/** Longer ones, for example tokens, would not fit on a phone. */
const WHOLE_MAX = 36;
