import { styleText } from "node:util";

/** The few ways to highlight text. */
export interface Paint {
  readonly heading: (text: string) => string;
  readonly label: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly wrong: (text: string) => string;
}

/** Colours for a terminal, unless NO_COLOR is set; plain text for every other stream. */
export function paintFor(stream: NodeJS.WritableStream): Paint {
  const painted = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    text === "" ? text : styleText(format, text, { stream, validateStream: true });
  return { heading: painted("dim"), label: painted("dim"), strong: painted("bold"), wrong: painted("red") };
}
