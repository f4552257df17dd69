/** The words of a text on lines of at most `width` characters; a longer word gets a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * One line of text, folded where a terminal is too narrow; continuation lines are indented a little further. A command at
 * its end is there to be copied: it gets a line of its own, which is never folded.
 */
export function folded(line: string, terminal: { readonly isTTY?: boolean; readonly columns?: number }): string {
  // A terminal of unknown size says 0.
  if (terminal.isTTY !== true || !terminal.columns || line.length <= terminal.columns) return line;
  const indent = /^ */.exec(line)?.[0] ?? "";
  const [command = ""] = COMMAND.exec(line) ?? [];
  const words = line.slice(0, line.length - command.length).trim();
  const [first, ...rest] = words === "" ? [] : wrap(words, terminal.columns - indent.length - FOLD.length);
  return [
    ...(first === undefined ? [] : [`${indent}${first}`]),
    ...rest.map((one) => `${indent}${indent === "" ? "" : FOLD}${one}`),
    ...(command === "" ? [] : [`${indent}${first === undefined ? "" : FOLD}${command}`]),
  ].join("\n");
}

/** Behind a colon or in brackets, up to the line's end; where another sentence follows, it is only mentioned. */
const COMMAND = /(?:(?<=^|: |, then )|\()gatehouse (?!.*\. [A-Z]).*$/;

const FOLD = "  ";

/** The text as one word of a POSIX shell: unchanged where that is safe, quoted otherwise. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
