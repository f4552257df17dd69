import type { Paint } from "./paint.ts";
import { plain } from "./terminal-text.ts";

/**
 * One thing, a fact per line: its name and the value; facts that are `undefined` are omitted, null ones shown as a
 * dash.
 */
export type Facts = readonly (readonly [label: string, value: string | readonly string[] | null | undefined])[];

const DASH = "–";

/** Shows one thing: labels in one column, values in the next, a list with a line per entry. */
export function card(facts: Facts, { label }: Paint): string {
  const shown = facts.filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) =>
      entries(value)
        .map((text, index) => line(index === 0 ? name : "", text))
        .join(""),
    )
    .join("");

  function line(name: string, text: string): string {
    return `${label(name.padEnd(width))}  ${text}\n`;
  }
}

function entries(value: string | readonly string[] | null | undefined): readonly string[] {
  const texts = typeof value === "string" ? [value] : (value ?? []);
  return texts.length === 0 ? [DASH] : texts.map((text) => (text === "" ? DASH : plain(text)));
}
