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

/** What is known of a stream that may be a terminal. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * One line of text, folded where a terminal is too narrow; continuation lines are indented a little further.
 * @param command what follows the text and is there to be copied: if the line is folded, it gets a line of its own, which
 * is never folded.
 */
export function folded(text: string, terminal: Terminal, command = ""): string {
  const line = text === "" || command === "" ? `${text}${command}` : `${text} ${command}`;
  // A terminal of unknown size says 0.
  if (terminal.isTTY !== true || !terminal.columns || line.length <= terminal.columns) return line;
  const indent = /^ */.exec(text)?.[0] ?? "";
  const words = text.trim();
  const [first, ...rest] = words === "" ? [] : wrap(words, terminal.columns - indent.length - FOLD.length);
  return [
    ...(first === undefined ? [] : [`${indent}${first}`]),
    ...rest.map((one) => `${indent}${indent === "" ? "" : FOLD}${one}`),
    ...(command === "" ? [] : [`${indent}${first === undefined ? "" : FOLD}${command}`]),
  ].join("\n");
}

const FOLD = "  ";

/** The text as one word of a POSIX shell: unchanged where that is safe, quoted otherwise. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
