import { stripVTControlCharacters } from "node:util";

/** The text without anything that a terminal would obey: names come from elsewhere. */
export const plain = (text: string): string => stripVTControlCharacters(text).replaceAll(/\p{Cc}+/gu, " ");

/** Columns that the text takes: combining marks none, East Asian wide characters two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += isWide(segment) ? 2 : 1;
  return width;
}

const isWide = (segment: string): boolean =>
  /^[\u{1100}-\u{115F}\u{2E80}-\u{A4CF}\u{AC00}-\u{D7A3}\u{F900}-\u{FAFF}\u{FE30}-\u{FE6F}\u{FF00}-\u{FF60}\u{FFE0}-\u{FFE6}]/u.test(
    segment,
  ) || /\p{Emoji_Presentation}/u.test(segment);
