import { styleText } from "node:util";

/** The streams and the environment of a command: the process's own, except in tests. */
export interface Surroundings {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends what would go on for ever; without one, SIGINT, SIGTERM and SIGHUP do. */
  readonly signal?: AbortSignal;
}

/** The value of an environment variable; `undefined` also for a blank one, as shells and compose files write "not set". */
export const variableOf = ({ env }: Pick<Surroundings, "env">, name: string): string | undefined =>
  env[name]?.trim() || undefined;

/** Columns of every report. */
export const WIDTH = 80;

type Colour = "green" | "red" | "yellow" | "dim" | "bold";

/** Colours for a terminal, unless NO_COLOR is set; plain text for every other stream. */
export const painter =
  (stream: NodeJS.WritableStream) =>
  (colour: Colour, text: string): string =>
    text === "" ? text : styleText(colour, text, { stream, validateStream: true });

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

/** A sentence on such lines; the command at its end, which is there to be copied, on one of its own. */
export function wrapAround(text: string, command: string, width: number): readonly string[] {
  const at = text.length <= width ? -1 : text.indexOf(`: ${command} `);
  return at === -1 ? wrap(text, width) : [...wrap(text.slice(0, at + 1), width), `  ${text.slice(at + 2)}`];
}

/** The text as one word of a POSIX shell: unchanged where that is safe, quoted otherwise. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
