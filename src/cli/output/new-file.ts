import { access } from "node:fs/promises";
import { type CommandError, commandError, EXIT } from "./command-error.ts";

/** An existing file is never overwritten. @throws CommandError, with what else is to be said. */
export async function assertNewFile(path: string, also = ""): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw unwritable(path, `it exists already${also}`);
}

export const unwritable = (path: string, why: string): CommandError =>
  commandError(EXIT.usage, {
    code: "USAGE",
    reason: "file_unwritable",
    message: `${path} cannot be written: ${why}.`,
    fix: "Name a file that does not exist yet, in a directory that you may write to.",
  });
