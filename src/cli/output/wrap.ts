/** The words of a text on lines of at most `width` characters; a longer word has a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** One line of talk, folded where a terminal is too narrow for it; what follows is indented a little further than its beginning. */
export function folded(line: string, terminal: { readonly isTTY?: boolean; readonly columns?: number }): string {
  if (terminal.isTTY !== true || terminal.columns === undefined) return line;
  const indent = /^ */.exec(line)?.[0] ?? "";
  const [first = "", ...rest] = wrap(line.trim(), terminal.columns - indent.length - FOLD.length);
  return [`${indent}${first}`, ...rest.map((one) => `${indent}${indent === "" ? "" : FOLD}${one}`)].join("\n");
}

const FOLD = "  ";
