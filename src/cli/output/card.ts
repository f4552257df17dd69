import { wrap } from "#runtime/basis/terminal-lines.ts";
import { type Advice, type AdvisedCommand, adviceText } from "./advice.ts";
import type { Paint } from "./paint.ts";
import { plain } from "./terminal-text.ts";

/**
 * One thing, a fact per line: its name and the value; facts that are `undefined` are omitted, null ones shown as a
 * dash.
 */
export type Facts = readonly (readonly [label: string, value: Advice | readonly string[] | null | undefined])[];

const DASH = "–";
const GAP = "  ";
const ROOM_MIN = 20;

/**
 * Shows one thing: labels in one column, values in the next, a list with a line per entry. Sentences are folded at the
 * terminal's width; a command stays on one line, so that it can be copied.
 */
export function card(facts: Facts, { label }: Paint, columns?: number): string {
  const shown = facts.filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) =>
      (isCommand(value) ? [plain(adviceText(value))] : entries(value).flatMap(foldedLines))
        .map((text, index) => line(index === 0 ? name : "", text))
        .join(""),
    )
    .join("");

  function foldedLines(text: string): readonly string[] {
    const room = Math.max((columns || Number.POSITIVE_INFINITY) - width - GAP.length, ROOM_MIN);
    return text.length <= room ? [text] : wrap(text, room);
  }

  function line(name: string, text: string): string {
    return `${label(name.padEnd(width))}${GAP}${text}\n`;
  }
}

const isCommand = (value: Facts[number][1]): value is AdvisedCommand =>
  typeof value === "object" && value !== null && "command" in value;

function entries(value: string | readonly string[] | null | undefined): readonly string[] {
  const texts = typeof value === "string" ? [value] : (value ?? []);
  return texts.length === 0 ? [DASH] : texts.map((text) => (text === "" ? DASH : plain(text)));
}
