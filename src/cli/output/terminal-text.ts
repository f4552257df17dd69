import { stripVTControlCharacters } from "node:util";

/**
 * The text without characters that control a terminal or turn the direction of what follows, since names come from
 * others.
 */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ");

/** `plain` line by line: for messages, which repeat what was typed. */
export const plainLines = (text: string): string => text.split("\n").map(plain).join("\n");

/** What a question is about, by a name and its id: `Ines Vogt (worker_…)`. */
export const withId = (given: string, id: string): string => (given === id ? id : `${plain(given)} (${id})`);

/** Columns that the text takes: combining marks none, East Asian wide characters two. */
export function displayWidth(text: string): number {
  // Most texts are ASCII, and take a hundredth of the time so.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of LETTERS.segment(text)) width += isWide(segment) ? 2 : 1;
  return width;
}

/** One for all texts: making it takes longer than what it does with one. */
const LETTERS = new Intl.Segmenter();

const isWide = (segment: string): boolean =>
  /^[\u{1100}-\u{115F}\u{2E80}-\u{A4CF}\u{AC00}-\u{D7A3}\u{F900}-\u{FAFF}\u{FE30}-\u{FE6F}\u{FF00}-\u{FF60}\u{FFE0}-\u{FFE6}\u{20000}-\u{3FFFD}]/u.test(
    segment,
  ) || /\p{Emoji_Presentation}/u.test(segment);
