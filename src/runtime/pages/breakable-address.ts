import { type Html, html } from "./html.ts";

/** An e-mail address, or an address with a scheme: one word. */
const ADDRESS = /^([^\s@]+@)?([^\s@]+)$/;
/** A line of a phone of 390 CSS pixels has room for as many characters. */
const LINE = 30;
/** A line of bold text on a page of 320 CSS pixels has room for as many characters of usual width. */
const BOLD_LINE = 24;
/** Widths of other characters, in usual ones; the first row that fits counts. */
const WIDTHS = [
  [/[ilIjtfr.,:'|-]/, 0.6],
  [/[MWmw@%]|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u, 1.6],
  [/[^a-z\d]/, 1.25],
] as const;

/**
 * An e-mail address or origin, which ends its lines behind the at sign, or else before a dot: no name in it is torn
 * that fits a line. An e-mail address that may need no more than two lines breaks behind its at sign first. Any other
 * text is as it was.
 */
export function breakableAddress(text: string): readonly (Html | string)[] {
  const [, name, host = ""] = ADDRESS.exec(text) ?? [];
  if (widthOf(text) <= BOLD_LINE || (name === undefined && !host.includes("://"))) return [text];
  const names = name === undefined ? [] : [whole(beforeDots(name), name.length), html`<wbr>`];
  const hostParts = beforeDots(host);
  return [...names, ...(name !== undefined && text.length <= LINE ? [whole(hostParts, host.length)] : hostParts)];
}

const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? 1), 0);

const beforeDots = (text: string): readonly (Html | string)[] =>
  text
    .split(/(?=\.)/)
    .flatMap((part, index) => [
      ...(index === 0 ? [] : [html`<wbr>`]),
      /\w-\w/.test(part) ? whole(part, part.length) : part,
    ]);

/** In a box that moves to the next line, where it fits one. */
const whole = (content: Html | string | readonly (Html | string)[], length: number): Html =>
  length <= LINE ? html`<span class="whole">${content}</span>` : html`${content}`;
