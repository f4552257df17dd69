import { type CommandError, commandError, EXIT } from "../output/command-error.ts";

/** What Node makes of bytes that are not UTF-8. The bytes are gone: a name or password with it is not the one that was given. */
const REPLACEMENT = "\uFFFD";

/** @throws CommandError for a text that was not UTF-8. */
export function assertUtf8(text: string, what: string): void {
  if (text.includes(REPLACEMENT)) throw notUtf8(what);
}

const notUtf8 = (what: string): CommandError =>
  commandError(EXIT.usage, {
    code: "USAGE",
    reason: "not_utf8",
    message: `${what} is not UTF-8. Nothing was changed.`,
    fix: "Write it in that encoding: iconv converts a file, and a terminal has it with a locale such as C.UTF-8.",
  });
